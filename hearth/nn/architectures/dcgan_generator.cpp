// The generator of a DCGAN: images from noise. Parameters are named and shaped as in PyTorch's
// tutorial.
#include "hearth/nn/architectures/dcgan_generator.h"

#include "hearth/config/registry.h"
#include "hearth/nn/dcgan.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/activation/tanh.h"
#include "hearth/nn/layers/convolution/conv_transpose2d.h"
#include "hearth/nn/layers/shape/reshape.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class DcganGenerator : public Layer {
 public:
  using Options = DcganGeneratorOptions;
  explicit DcganGenerator(DcganGeneratorOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& noise = inputs.front();
    require_float32(context, "dcgan_generator", noise);
    if (noise.shape.size() != 1)
      throw_input_error(context, "dcgan_generator", "a row of random numbers for each sample",
                        noise, "Give it what the op noise makes, with shape: [100].");
    return chain({{"reshape", reshape({.shape = {noise.shape[0], 1, 1}})}, {"main", stages()}});
  }

 private:
  [[nodiscard]] Choice<Layer> stages() const {
    DcganStages all;
    for (int64_t left = *dcgan_doublings(options_.size); left > 0; --left) {
      const bool is_first = all.is_empty();
      all.add(conv_transpose2d({.out_channels = options_.width << (left - 1),
                                .kernel_size = 4,
                                .stride = is_first ? 1 : 2,
                                .padding = is_first ? 0 : 1,
                                .bias = false}));
      all.add_norm();
      all.add_activation(relu());
    }
    all.add(conv_transpose2d({.out_channels = options_.channels,
                              .kernel_size = 4,
                              .stride = 2,
                              .padding = 1,
                              .bias = false}));
    all.add_activation(tanh());
    return all.layer();
  }

  DcganGeneratorOptions options_;
};

}  // namespace

const Schema<DcganGeneratorOptions>& DcganGeneratorOptions::schema() {
  using O = DcganGeneratorOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::size, "size", "Side of the images: 8, 16, 32, 64 and so on.", at_least(8))
          .field(&O::channels, "channels", "Channels of the images.", at_least(1))
          .field(&O::width, "width",
                 "Channels of the last stage before the image; each earlier one has twice as many.",
                 at_least(1))
          .check("size must be 4 doubled some times: 8, 16, 32, 64, ...",
                 [](const O& options) { return dcgan_doublings(options.size).has_value(); });
  return fields;
}

Choice<Layer> dcgan_generator(DcganGeneratorOptions options) {
  return choose<Layer>("dcgan_generator", options);
}

void register_dcgan_generator(Registry<Layer>& layers) {
  layers.add<DcganGenerator>("dcgan_generator",
                             "The generator of a DCGAN: images with values from -1 to 1 from rows "
                             "of random numbers.");
}

}  // namespace hearth::layers
