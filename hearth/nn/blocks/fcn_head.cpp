// Scores for every point of an image; children are named as in torchvision's FCNHead.
#include "hearth/nn/blocks/fcn_head.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class FcnHead : public Layer {
 public:
  using Options = FcnHeadOptions;
  explicit FcnHead(FcnHeadOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "fcn_head", inputs.front());
    const int64_t narrow = std::max<int64_t>(1, inputs.front().shape[0] / 4);
    NamedLayers all = {{"0", conv2d({.out_channels = narrow, .padding = 1, .bias = false})},
                       {"1", batch_norm2d()},
                       {"2", relu()}};
    if (options_.dropout > 0) all.emplace_back("3", dropout({options_.dropout}));
    all.emplace_back("4", conv2d({.out_channels = options_.out_channels, .kernel_size = 1}));
    return chain(all);
  }

 private:
  FcnHeadOptions options_;
};

}  // namespace

const Schema<FcnHeadOptions>& FcnHeadOptions::schema() {
  using O = FcnHeadOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Scores for each point.", required(),
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of features dropped while training.", at_least(0),
                 below(1));
  return fields;
}

Choice<Layer> fcn_head(FcnHeadOptions options) { return choose<Layer>("fcn_head", options); }

void register_fcn_head(Registry<Layer>& layers) {
  layers.add<FcnHead>(
      "fcn_head",
      "Scores for every point of an image [C, H, W]: a 3x3 convolution to a quarter "
      "of the channels, then a 1x1 convolution.");
}

}  // namespace hearth::layers
