// Makes colours paler or stronger by a factor drawn for each image.
#include "hearth/data/ops/image/saturation.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Saturation : public PixelOp<SaturationOptions> {
 public:
  explicit Saturation(Options options)
      : PixelOp("saturation", std::move(options), {.takes_any_colors = false}),
        factors_(factor_range(options_.strength)) {}

 private:
  void change(Random& random, const View& image) const override {
    pixels::adjust_saturation(pixels_of(image), factors_.draw(random));
  }

  DrawnRange factors_;
};

}  // namespace

const Schema<SaturationOptions>& SaturationOptions::schema() {
  using O = SaturationOptions;
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

Choice<SampleOp> saturation(SaturationOptions options) {
  return choose<SampleOp>("saturation", options);
}

void register_saturation(Registry<SampleOp>& registry) {
  registry.add<Saturation>(
      "saturation",
      "Makes colours paler or stronger, as torchvision's ColorJitter; gray images stay.");
}

}  // namespace hearth::sample_ops
