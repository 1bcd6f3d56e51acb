// A stage of a U-Net on its way down: half the size, then two convolutions.
#include "hearth/nn/blocks/unet_down.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/unet.h"

namespace hearth::layers {
namespace {

class UnetDown : public Layer {
 public:
  using Options = UnetDownOptions;
  explicit UnetDown(UnetDownOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "unet_down", inputs.front());
    const int64_t out = options_.out_channels;
    return chain({{"maxpool_conv", sequential({{max_pool2d(), double_convolution(out, out)}})}});
  }

 private:
  UnetDownOptions options_;
};

}  // namespace

const Schema<UnetDownOptions>& UnetDownOptions::schema() {
  using O = UnetDownOptions;
  static const auto fields = Schema<O>().field(&O::out_channels, "out_channels",
                                               "Channels that come out.", required(), at_least(1));
  return fields;
}

Choice<Layer> unet_down(UnetDownOptions options) { return choose<Layer>("unet_down", options); }

void register_unet_down(Registry<Layer>& layers) {
  layers.add<UnetDown>("unet_down",
                       "A stage of a U-Net on its way down: max pooling, then two 3x3 convolutions "
                       "with batch norm.");
}

}  // namespace hearth::layers
