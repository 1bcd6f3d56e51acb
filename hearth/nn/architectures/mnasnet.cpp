// Small networks found by a search for phones; children are named as in torchvision.
#include "hearth/nn/architectures/mnasnet.h"

#include <array>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/inverted_residual.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/initializers/kaiming_uniform.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/residual.h"

namespace hearth::layers {
namespace {

struct MnasnetStage {
  int64_t channels;
  int64_t kernel_size;
  int64_t stride;  // of the first block
  double expand_ratio;
  int64_t blocks;
};

constexpr std::array<MnasnetStage, 6> kMnasnetStages = {{{24, 3, 2, 3, 3},
                                                         {40, 5, 2, 3, 3},
                                                         {80, 5, 2, 6, 3},
                                                         {96, 3, 1, 6, 2},
                                                         {192, 5, 2, 6, 4},
                                                         {320, 3, 1, 6, 1}}};

class Mnasnet : public Layer {
 public:
  using Options = MnasnetOptions;
  explicit Mnasnet(MnasnetOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "mnasnet", inputs.front(), options_);
    const auto last = starting_with(
        linear({.out_features = classes}),
        {{"weight", initializers::kaiming_uniform({.mode = "fan_out", .activation = "sigmoid"})},
         {"bias", initializers::zeros()}});
    return chain({{"layers", features()},
                  {"avgpool", global_average_pool()},
                  {"classifier", sequential({{dropout({.p = options_.dropout}), last}})}},
                 classes);
  }

 private:
  [[nodiscard]] int64_t wide(int64_t channels) const {
    return divisible_channels(static_cast<double>(channels) * options_.alpha);
  }
  // The paper's share for running statistics.
  [[nodiscard]] static Choice<Layer> norm() { return batch_norm2d({.momentum = 1 - 0.9997}); }

  [[nodiscard]] Choice<Layer> features() const {
    const int64_t first = wide(32);
    SequentialOptions all{{residual_convolution({first, 3, 2}), norm(), relu(),
                           residual_convolution({.out_channels = first, .groups = first}), norm(),
                           relu(), residual_convolution({wide(16), 1}), norm()}};
    for (const MnasnetStage& form : kMnasnetStages) all.layers.push_back(stage(form));
    all.layers.insert(all.layers.end(), {residual_convolution({1280, 1}), norm(), relu()});
    return sequential(all);
  }

  [[nodiscard]] Choice<Layer> stage(const MnasnetStage& form) const {
    SequentialOptions blocks;
    for (int64_t i = 0; i < form.blocks; ++i)
      blocks.layers.push_back(inverted_residual({.out_channels = wide(form.channels),
                                                 .kernel_size = form.kernel_size,
                                                 .stride = i == 0 ? form.stride : 1,
                                                 .expand_ratio = form.expand_ratio,
                                                 .norm = norm(),
                                                 .activation = relu(),
                                                 .names = "mnasnet"}));
    return sequential(blocks);
  }

  MnasnetOptions options_;
};

}  // namespace

const Schema<MnasnetOptions>& MnasnetOptions::schema() {
  using O = MnasnetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::alpha, "alpha",
                 "How wide it is: 0.5, 0.75, 1 and 1.3 are torchvision's; the last convolution "
                 "keeps its 1280 channels.",
                 size_factor())
          .field(&O::dropout, "dropout", "Share of values that become zero before the scores.",
                 at_least(0), below(1));
  return fields;
}

Choice<Layer> mnasnet(MnasnetOptions options) { return choose<Layer>("mnasnet", options); }

void register_mnasnet(Registry<Layer>& layers) {
  layers.add<Mnasnet>("mnasnet",
                      "Inverted residual blocks as a search for phones found them: MNASNet B1.");
}

}  // namespace hearth::layers
