// A small network of inverted residual blocks; children are named as in torchvision.
#include "hearth/nn/architectures/mobilenet_v2.h"

#include <algorithm>
#include <array>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/blocks/inverted_residual.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layers/activation/relu6.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/regularization/dropout.h"

namespace hearth::layers {
namespace {

struct MobilenetV2Stage {
  double expand_ratio;
  int64_t channels;
  int64_t blocks;
  int64_t stride;  // of the first
};

constexpr std::array<MobilenetV2Stage, 7> kMobilenetV2Stages = {{{1, 16, 1, 1},
                                                                 {6, 24, 2, 2},
                                                                 {6, 32, 3, 2},
                                                                 {6, 64, 4, 2},
                                                                 {6, 96, 3, 1},
                                                                 {6, 160, 3, 2},
                                                                 {6, 320, 1, 1}}};

class MobilenetV2 : public Layer {
 public:
  using Options = MobilenetV2Options;
  explicit MobilenetV2(MobilenetV2Options options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "mobilenet_v2", inputs.front(), options_);
    const auto scores = sequential({{dropout({.p = options_.dropout}), small_linear(classes)}});
    return chain(
        {{"features", features()}, {"avgpool", global_average_pool()}, {"classifier", scores}},
        classes);
  }

 private:
  [[nodiscard]] int64_t wide(int64_t channels, double factor) const {
    return divisible_channels(static_cast<double>(channels) * factor, options_.round_nearest);
  }

  [[nodiscard]] Choice<Layer> features() const {
    const double factor = options_.width_mult;
    SequentialOptions all{{conv_norm_activation(
        {.out_channels = wide(32, factor), .stride = 2, .activation = relu6()})}};
    for (const MobilenetV2Stage& stage : kMobilenetV2Stages)
      for (int64_t i = 0; i < stage.blocks; ++i)
        all.layers.push_back(inverted_residual({.out_channels = wide(stage.channels, factor),
                                                .stride = i == 0 ? stage.stride : 1,
                                                .expand_ratio = stage.expand_ratio}));
    all.layers.push_back(conv_norm_activation({.out_channels = wide(1280, std::max(1.0, factor)),
                                               .kernel_size = 1,
                                               .activation = relu6()}));
    return sequential(all);
  }

  MobilenetV2Options options_;
};

}  // namespace

const Schema<MobilenetV2Options>& MobilenetV2Options::schema() {
  using O = MobilenetV2Options;
  static const auto fields =
      class_fields<O>()
          .field(&O::width_mult, "width_mult",
                 std::string(kWidthHelp) + " The last convolution keeps at least its 1280.",
                 size_factor())
          .field(&O::round_nearest, "round_nearest", "Numbers of channels are multiples of this.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of values that become zero before the scores.",
                 at_least(0), below(1));
  return fields;
}

Choice<Layer> mobilenet_v2(MobilenetV2Options options) {
  return choose<Layer>("mobilenet_v2", options);
}

void register_mobilenet_v2(Registry<Layer>& layers) {
  layers.add<MobilenetV2>("mobilenet_v2",
                          "Inverted residual blocks of depthwise convolutions: a small network for "
                          "phones.");
}

}  // namespace hearth::layers
