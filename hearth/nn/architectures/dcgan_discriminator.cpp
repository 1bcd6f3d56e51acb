// The discriminator of a DCGAN: how real an image looks. Parameters are named and shaped as in
// PyTorch's tutorial, whose sigmoid is a part of the loss here.
#include "hearth/nn/architectures/dcgan_discriminator.h"

#include "hearth/config/registry.h"
#include "hearth/nn/dcgan.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/leaky_relu.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class DcganDiscriminator : public Layer {
 public:
  using Options = DcganDiscriminatorOptions;
  explicit DcganDiscriminator(DcganDiscriminatorOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& image = inputs.front();
    require_image(context, "dcgan_discriminator", image);
    const std::optional<int64_t> halvings = dcgan_doublings(image.shape[1]);
    if (!halvings || image.shape[1] != image.shape[2])
      throw_input_error(context, "dcgan_discriminator",
                        "a square image of 8, 16, 32, 64 or so points a side", image,
                        "Resize or pad it to such a size.");
    return chain({{"main", stages(*halvings)}, {"flatten", flatten()}});
  }

 private:
  [[nodiscard]] Choice<Layer> stages(int64_t halvings) const {
    DcganStages all;
    for (int64_t i = 0; i < halvings; ++i) {
      all.add(conv2d({.out_channels = options_.width << i,
                      .kernel_size = 4,
                      .stride = 2,
                      .padding = 1,
                      .bias = false}));
      if (i > 0) all.add_norm();
      all.add_activation(leaky_relu({.negative_slope = 0.2}));
    }
    all.add(conv2d({.out_channels = 1, .kernel_size = 4, .bias = false}));
    return all.layer();
  }

  DcganDiscriminatorOptions options_;
};

}  // namespace

const Schema<DcganDiscriminatorOptions>& DcganDiscriminatorOptions::schema() {
  using O = DcganDiscriminatorOptions;
  static const auto fields = Schema<O>().field(
      &O::width, "width", "Channels of the first stage; each further one has twice as many.",
      at_least(1));
  return fields;
}

Choice<Layer> dcgan_discriminator(DcganDiscriminatorOptions options) {
  return choose<Layer>("dcgan_discriminator", options);
}

void register_dcgan_discriminator(Registry<Layer>& layers) {
  layers.add<DcganDiscriminator>("dcgan_discriminator",
                                 "The discriminator of a DCGAN: one score for each image, high for "
                                 "real ones, which gan_loss takes.");
}

}  // namespace hearth::layers
