// Points become channels: [C, H r, W r] becomes [C r r, H, W].
#include "hearth/nn/layers/shape/pixel_unshuffle.h"

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

constexpr double kMostTimesShorter = 1024;

class PixelUnshuffle : public Layer {
 public:
  using Options = PixelUnshuffleOptions;
  explicit PixelUnshuffle(PixelUnshuffleOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "pixel_unshuffle", input);
    const int64_t factor = options_.downscale_factor;
    for (const size_t side : {size_t{1}, size_t{2}})
      require_parts(context, "pixel_unshuffle", input, side, factor);
    Spec output;
    output.shape = {input.shape[0] * factor * factor, input.shape[1] / factor,
                    input.shape[2] / factor};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    // LibTorch's own operator has no gradient for a batch without samples.
    const int64_t factor = options_.downscale_factor;
    const int64_t height = input.size(2) / factor;
    const int64_t width = input.size(3) / factor;
    return input.reshape({input.size(0), input.size(1), height, factor, width, factor})
        .permute({0, 1, 3, 5, 2, 4})
        .reshape({input.size(0), input.size(1) * factor * factor, height, width});
  }

 private:
  PixelUnshuffleOptions options_;
};

}  // namespace

const Schema<PixelUnshuffleOptions>& PixelUnshuffleOptions::schema() {
  using O = PixelUnshuffleOptions;
  static const auto fields = Schema<O>().field(&O::downscale_factor, "downscale_factor",
                                               "How many times shorter the sides become.",
                                               at_least(1), at_most(kMostTimesShorter));
  return fields;
}

Choice<Layer> pixel_unshuffle(PixelUnshuffleOptions options) {
  return choose<Layer>("pixel_unshuffle", options);
}

void register_pixel_unshuffle(Registry<Layer>& layers) {
  layers.add<PixelUnshuffle>("pixel_unshuffle",
                             "Points become channels: [C, H r, W r] becomes [C r r, H, W].");
}

}  // namespace hearth::layers
