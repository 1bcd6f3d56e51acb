// Turns the circle of colours by an angle drawn for each image.
#include "hearth/data/ops/image/hue.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Hue : public PixelOp<HueOptions> {
 public:
  explicit Hue(Options options)
      : PixelOp("hue", std::move(options), {.takes_any_colors = false}),
        turns_(turn_range(options_.strength)) {}

 private:
  void change(Random& random, const View& image) const override {
    pixels::adjust_hue(pixels_of(image), turns_.draw(random));
  }

  DrawnRange turns_;
};

}  // namespace

const Schema<HueOptions>& HueOptions::schema() {
  using O = HueOptions;
  static const auto schema =
      pixel_schema<O>()
          .field(&O::strength, "strength",
                 "One number: up to this share of a whole turn, either way. Two: the least and the "
                 "greatest.",
                 not_empty(), at_least(-0.5), at_most(0.5))
          .check("'strength' must hold one number of at least 0, or two in order.",
                 [](const O& options) {
                   return is_one_or_range(options.strength) &&
                          (options.strength.size() > 1 || options.strength[0] >= 0);
                 });
  return schema;
}

Choice<SampleOp> hue(HueOptions options) { return choose<SampleOp>("hue", options); }

void register_hue(Registry<SampleOp>& registry) {
  registry.add<Hue>("hue",
                    "Turns the circle of colours, as torchvision's ColorJitter; gray images stay.");
}

}  // namespace hearth::sample_ops
