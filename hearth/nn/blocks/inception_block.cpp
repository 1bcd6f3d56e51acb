// Convolutions of different windows beside each other; children are named as in torchvision's
// Inception of GoogLeNet. Its 5x5 branch has a window of 3, as there.
#include "hearth/nn/blocks/inception_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/inception.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class InceptionBlock : public Layer {
 public:
  using Options = InceptionBlockOptions;
  explicit InceptionBlock(InceptionBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "inception_block", inputs.front());
    const auto pool = max_pool2d({.kernel_size = 3, .stride = 1, .padding = 1, .ceil_mode = true});
    return described(
        {"input"},
        {wired(convolution(options_.ch1x1), {"input"}, {}, "branch1"),
         wired(windows(options_.ch3x3red, options_.ch3x3), {"input"}, {}, "branch2"),
         wired(windows(options_.ch5x5red, options_.ch5x5), {"input"}, {}, "branch3"),
         wired(sequential({{pool, convolution(options_.pool_proj)}}), {"input"}, {}, "branch4"),
         wired(concat(), {"branch1", "branch2", "branch3", "branch4"}, {}, "output")});
  }

 private:
  [[nodiscard]] static Choice<Layer> convolution(int64_t channels) {
    return basic_convolution({.out_channels = channels, .deviation = kInceptionDeviation});
  }
  [[nodiscard]] static Choice<Layer> windows(int64_t narrow, int64_t channels) {
    return sequential(
        {{convolution(narrow), basic_convolution({.out_channels = channels,
                                                  .kernel_size = 3,
                                                  .padding = 1,
                                                  .deviation = kInceptionDeviation})}});
  }

  static constexpr double kInceptionDeviation = 0.01;
  InceptionBlockOptions options_;
};

}  // namespace

const Schema<InceptionBlockOptions>& InceptionBlockOptions::schema() {
  using O = InceptionBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::ch1x1, "ch1x1", "Channels of the 1x1 branch.", required(), at_least(1))
          .field(&O::ch3x3red, "ch3x3red", "Channels before the window of the second branch.",
                 required(), at_least(1))
          .field(&O::ch3x3, "ch3x3", "Channels of the second branch.", required(), at_least(1))
          .field(&O::ch5x5red, "ch5x5red", "Channels before the window of the third branch.",
                 required(), at_least(1))
          .field(&O::ch5x5, "ch5x5", "Channels of the third branch.", required(), at_least(1))
          .field(&O::pool_proj, "pool_proj", "Channels of the branch after a pool.", required(),
                 at_least(1));
  return fields;
}

Choice<Layer> inception_block(InceptionBlockOptions options) {
  return choose<Layer>("inception_block", options);
}

void register_inception_block(Registry<Layer>& layers) {
  layers.add<InceptionBlock>("inception_block",
                             "1x1 convolutions, windows and a pool beside each other, joined by "
                             "channels: the block of googlenet.");
}

}  // namespace hearth::layers
