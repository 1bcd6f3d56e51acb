// Makes images sharper or smoother by a factor drawn for each.
#include "hearth/data/ops/image/sharpen.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/filter.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Sharpen : public PixelOp<SharpenOptions> {
 public:
  explicit Sharpen(Options options)
      : PixelOp("sharpen", std::move(options)), factors_(drawn_range(options_.factor)) {}

 private:
  void change(Random& random, const View& image) const override {
    pixels::adjust_sharpness(pixels_of(image), factors_.draw(random));
  }

  DrawnRange factors_;
};

}  // namespace

const Schema<SharpenOptions>& SharpenOptions::schema() {
  using O = SharpenOptions;
  static const auto schema =
      pixel_schema<O>()
          .field(&O::factor, "factor",
                 "0 smooths, 1 changes nothing, 2 sharpens: one number, or the least and the "
                 "greatest.",
                 not_empty(), at_least(0), at_most(1000))
          .check("'factor' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.factor); });
  return schema;
}

Choice<SampleOp> sharpen(SharpenOptions options) { return choose<SampleOp>("sharpen", options); }

void register_sharpen(Registry<SampleOp>& registry) {
  registry.add<Sharpen>(
      "sharpen", "Makes images sharper or smoother, as torchvision's RandomAdjustSharpness.");
}

}  // namespace hearth::sample_ops
