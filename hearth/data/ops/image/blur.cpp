// Blurs with a Gaussian of a width drawn for each image.
#include "hearth/data/ops/image/blur.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/filter.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

bool blur_kernel_fits(const BlurOptions& options) {
  return options.kernel.size() <= 2 && options.kernel.front() % 2 == 1 &&
         options.kernel.back() % 2 == 1;
}

class Blur : public PixelOp<BlurOptions> {
 public:
  explicit Blur(Options options)
      : PixelOp("blur", std::move(options), {.takes_any_white = true}),
        sigmas_(drawn_range(options_.sigma)) {}

 private:
  void change(Random& random, const View& image) const override {
    const double sigma = sigmas_.draw(random);
    const pixels::GaussianWindow down(options_.kernel.front(), sigma);
    const pixels::GaussianWindow across(options_.kernel.back(), sigma);
    pixels::gaussian_blur(pixels_of(image), across, down);
  }

  DrawnRange sigmas_;
};

}  // namespace

const Schema<BlurOptions>& BlurOptions::schema() {
  using O = BlurOptions;
  static const auto schema =
      pixel_schema<O>()
          .field(&O::kernel, "kernel",
                 "Pixels that are mixed, odd: down and across, or one number for both.",
                 not_empty(), at_least(1), at_most(pixels::kMostBlurPixels))
          .field(&O::sigma, "sigma",
                 "The Gaussian's deviation in pixels: one number, or the least and the greatest.",
                 not_empty(), at_least(0.01), at_most(1000))
          .check("'kernel' must hold one odd number, or two.", blur_kernel_fits)
          .check("'sigma' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.sigma); });
  return schema;
}

Choice<SampleOp> blur(BlurOptions options) { return choose<SampleOp>("blur", options); }

void register_blur(Registry<SampleOp>& registry) {
  registry.add<Blur>("blur",
                     "Blurs with a Gaussian, as torchvision's GaussianBlur to within one level.");
}

}  // namespace hearth::sample_ops
