// Moves pixels towards or away from the mean gray, by a factor drawn for each image.
#include "hearth/data/ops/image/contrast.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Contrast : public PixelOp<ContrastOptions> {
 public:
  explicit Contrast(Options options)
      : PixelOp("contrast", std::move(options), {.takes_any_colors = false}),
        factors_(factor_range(options_.strength)) {}

 private:
  void change(Random& random, const View& image) const override {
    pixels::adjust_contrast(pixels_of(image), factors_.draw(random));
  }

  DrawnRange factors_;
};

}  // namespace

const Schema<ContrastOptions>& ContrastOptions::schema() {
  using O = ContrastOptions;
  static const auto schema =
      pixel_schema<O>()
          .field(&O::strength, "strength",
                 "One number s: factors from 1 - s, but not below 0, to 1 + s. Two numbers: the "
                 "least and the greatest factor.",
                 not_empty(), at_least(0), at_most(1000))
          .check("'strength' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.strength); });
  return schema;
}

Choice<SampleOp> contrast(ContrastOptions options) { return choose<SampleOp>("contrast", options); }

void register_contrast(Registry<SampleOp>& registry) {
  registry.add<Contrast>(
      "contrast",
      "Moves pixels towards or away from the image's mean gray, as torchvision's ColorJitter.");
}

}  // namespace hearth::sample_ops
