// Makes images brighter or darker by a factor drawn for each.
#include "hearth/data/ops/image/brightness.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Brightness : public PixelOp<BrightnessOptions> {
 public:
  explicit Brightness(Options options)
      : PixelOp("brightness", std::move(options)), factors_(factor_range(options_.strength)) {}

 private:
  void change(Random& random, const View& image) const override {
    pixels::adjust_brightness(pixels_of(image), factors_.draw(random));
  }

  DrawnRange factors_;
};

}  // namespace

const Schema<BrightnessOptions>& BrightnessOptions::schema() {
  using O = BrightnessOptions;
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

Choice<SampleOp> brightness(BrightnessOptions options) {
  return choose<SampleOp>("brightness", options);
}

void register_brightness(Registry<SampleOp>& registry) {
  registry.add<Brightness>(
      "brightness",
      "Makes images brighter or darker, each by another factor, as torchvision's ColorJitter.");
}

}  // namespace hearth::sample_ops
