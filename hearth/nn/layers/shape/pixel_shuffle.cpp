// Channels become points: [C r r, H, W] becomes [C, H r, W r].
#include "hearth/nn/layers/shape/pixel_shuffle.h"

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

constexpr double kMostTimesLonger = 1024;

class PixelShuffle : public Layer {
 public:
  using Options = PixelShuffleOptions;
  explicit PixelShuffle(PixelShuffleOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "pixel_shuffle", input);
    const int64_t factor = options_.upscale_factor;
    require_parts(context, "pixel_shuffle", input, 0, factor * factor);
    Spec output;
    output.shape = {input.shape[0] / (factor * factor), input.shape[1] * factor,
                    input.shape[2] * factor};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    // LibTorch's own operator has no gradient for a batch without samples.
    const int64_t factor = options_.upscale_factor;
    const int64_t channels = input.size(1) / (factor * factor);
    return input.reshape({input.size(0), channels, factor, factor, input.size(2), input.size(3)})
        .permute({0, 1, 4, 2, 5, 3})
        .reshape({input.size(0), channels, input.size(2) * factor, input.size(3) * factor});
  }

 private:
  PixelShuffleOptions options_;
};

}  // namespace

const Schema<PixelShuffleOptions>& PixelShuffleOptions::schema() {
  using O = PixelShuffleOptions;
  static const auto fields = Schema<O>().field(&O::upscale_factor, "upscale_factor",
                                               "How many times longer the sides become.",
                                               at_least(1), at_most(kMostTimesLonger));
  return fields;
}

Choice<Layer> pixel_shuffle(PixelShuffleOptions options) {
  return choose<Layer>("pixel_shuffle", options);
}

void register_pixel_shuffle(Registry<Layer>& layers) {
  layers.add<PixelShuffle>("pixel_shuffle",
                           "Channels become points: [C r r, H, W] becomes [C, H r, W r].");
}

}  // namespace hearth::layers
