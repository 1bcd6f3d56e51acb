// A network of few parameters, made of fire blocks; children are named as in torchvision.
#include "hearth/nn/architectures/squeezenet.h"

#include <algorithm>
#include <array>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/fire_block.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/initializers/kaiming_uniform.h"
#include "hearth/nn/initializers/normal.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

struct SqueezenetForm {
  std::string name;
  int64_t channels;                   // of the first convolution
  int64_t kernel_size;                // and its window
  std::vector<int64_t> pooled_after;  // the first convolution, 0, and these of the fire blocks
};

const std::vector<SqueezenetForm>& squeezenet_forms() {
  static const std::vector<SqueezenetForm> forms = {{"1.0", 96, 7, {0, 3, 7}},
                                                    {"1.1", 64, 3, {0, 2, 4}}};
  return forms;
}

class Squeezenet : public Layer {
 public:
  using Options = SqueezenetOptions;
  explicit Squeezenet(SqueezenetOptions options)
      : options_(std::move(options)), form_(find_variant(squeezenet_forms(), options_.version)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "squeezenet", inputs.front(), options_);
    return chain(
        {{"features", features()}, {"classifier", scores(classes)}, {"flatten", flatten()}},
        classes);
  }

 private:
  [[nodiscard]] int64_t wide(int64_t channels) const {
    return scaled_channels(channels, options_.width_mult);
  }

  [[nodiscard]] Choice<Layer> features() const {
    constexpr std::array<int64_t, 8> kSqueezed = {16, 16, 32, 32, 48, 48, 64, 64};
    const auto first = starting_with(
        conv2d(
            {.out_channels = wide(form_.channels), .kernel_size = form_.kernel_size, .stride = 2}),
        {{"weight", initializers::kaiming_uniform()}, {"bias", initializers::zeros()}});
    SequentialOptions all{{first, relu()}};
    for (size_t done = 0; done <= kSqueezed.size(); ++done) {
      if (done > 0)
        all.layers.push_back(fire_block({.squeeze_channels = wide(kSqueezed[done - 1]),
                                         .expand_channels = wide(4 * kSqueezed[done - 1])}));
      if (std::ranges::find(form_.pooled_after, static_cast<int64_t>(done)) !=
          form_.pooled_after.end())
        all.layers.push_back(max_pool2d({.kernel_size = 3, .stride = 2, .ceil_mode = true}));
    }
    return sequential(all);
  }

  [[nodiscard]] Choice<Layer> scores(int64_t classes) const {
    const auto last = starting_with(
        conv2d({.out_channels = classes, .kernel_size = 1}),
        {{"weight", initializers::normal({.std = 0.01})}, {"bias", initializers::zeros()}});
    return sequential(
        {{dropout({.p = options_.dropout}), last, relu(), adaptive_average_pool2d({.size = 1})}});
  }

  SqueezenetOptions options_;
  SqueezenetForm form_;
};

}  // namespace

const Schema<SqueezenetOptions>& SqueezenetOptions::schema() {
  using O = SqueezenetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::version, "version",
                 "1.0 as in the paper; 1.1 takes less than half the work for the same accuracy.",
                 one_of(variant_names(squeezenet_forms())))
          .field(&O::dropout, "dropout",
                 "Share of values that become zero before the last convolution.", at_least(0),
                 below(1))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor());
  return fields;
}

Choice<Layer> squeezenet(SqueezenetOptions options) { return choose<Layer>("squeezenet", options); }

void register_squeezenet(Registry<Layer>& layers) {
  layers.add<Squeezenet>("squeezenet",
                         "Fire blocks and no linear layer: AlexNet's accuracy with a fiftieth of "
                         "its parameters.");
}

}  // namespace hearth::layers
