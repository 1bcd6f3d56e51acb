// Networks of 3x3 convolutions, one after another; children are named as in torchvision.
#include "hearth/nn/architectures/vgg.h"

#include <array>
#include <map>

#include "hearth/config/registry.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"

namespace hearth::layers {
namespace {

// Convolutions of each stage, by depth; a pool ends each.
const std::map<int64_t, std::vector<int64_t>>& vgg_forms() {
  static const std::map<int64_t, std::vector<int64_t>> forms = {
      {11, {1, 1, 2, 2, 2}}, {13, {2, 2, 2, 2, 2}}, {16, {2, 2, 3, 3, 3}}, {19, {2, 2, 4, 4, 4}}};
  return forms;
}

class Vgg : public Layer {
 public:
  using Options = VggOptions;
  explicit Vgg(VggOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "vgg", inputs.front(), options_);
    return chain({{"features", features()},
                  {"avgpool", adaptive_average_pool2d({.size = 7})},
                  {"flatten", flatten()},
                  {"classifier", scores(classes)}},
                 classes);
  }

 private:
  [[nodiscard]] int64_t wide(int64_t channels) const {
    return scaled_channels(channels, options_.width_mult);
  }

  [[nodiscard]] Choice<Layer> features() const {
    constexpr std::array<int64_t, 5> kChannels = {64, 128, 256, 512, 512};
    const std::vector<int64_t>& stages = vgg_forms().at(options_.depth);
    SequentialOptions all;
    for (size_t i = 0; i < stages.size(); ++i) {
      for (int64_t k = 0; k < stages[i]; ++k) {
        all.layers.push_back(convolution(wide(kChannels[i])));
        if (options_.batch_norm) all.layers.push_back(batch_norm2d());
        all.layers.push_back(relu());
      }
      all.layers.push_back(max_pool2d());
    }
    return sequential(all);
  }

  [[nodiscard]] static Choice<Layer> convolution(int64_t channels) {
    return starting_with(
        conv2d({.out_channels = channels, .padding = 1, .init = "kaiming_fan_out"}),
        {{"bias", initializers::zeros()}});
  }

  [[nodiscard]] Choice<Layer> scores(int64_t classes) const {
    const auto hidden = small_linear(wide(4096));
    const auto drop = dropout({.p = options_.dropout});
    return sequential({{hidden, relu(), drop, hidden, relu(), drop, small_linear(classes)}});
  }

  VggOptions options_;
};

}  // namespace

const Schema<VggOptions>& VggOptions::schema() {
  using O = VggOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::depth, "depth", "Layers with weights: 11, 13, 16 or 19.")
          .field(&O::batch_norm, "batch_norm", "Put a batch norm after each convolution.")
          .field(&O::dropout, "dropout",
                 "Share of values that become zero after the first two linear layers.", at_least(0),
                 below(1))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor())
          .check("depth must be 11, 13, 16 or 19.",
                 [](const O& options) { return vgg_forms().contains(options.depth); });
  return fields;
}

Choice<Layer> vgg(VggOptions options) { return choose<Layer>("vgg", options); }

void register_vgg(Registry<Layer>& layers) {
  layers.add<Vgg>("vgg",
                  "3x3 convolutions one after another and three linear layers, for images of 32 "
                  "points a side or more.");
}

}  // namespace hearth::layers
