// Writes over several small rectangles of the image.
#include "hearth/data/ops/image/coarse_dropout.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/rectangle.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class CoarseDropout : public PixelOp<CoarseDropoutOptions> {
 public:
  explicit CoarseDropout(Options options)
      : PixelOp("coarse_dropout", std::move(options),
                {.takes_floats = true, .takes_any_white = true}) {}

 private:
  void change(Random& random, const View& image) const override {
    if (image.elements() == 0) return;
    const int64_t holes = random.between(options_.holes.front(), options_.holes.back());
    for (int64_t i = 0; i < holes; ++i) {
      Rectangle rectangle{0, 0, side(random, image.shape[0]), side(random, image.shape[1])};
      rectangle.top = random.between(0, image.shape[0] - rectangle.height);
      rectangle.left = random.between(0, image.shape[1] - rectangle.width);
      fill_rectangle(image, rectangle, options_.fill);
    }
  }

  // At least a pixel, at most the whole side.
  [[nodiscard]] int64_t side(Random& random, int64_t whole) const {
    const double share = drawn_range(options_.size).draw(random);
    return std::clamp<int64_t>(std::llround(share * static_cast<double>(whole)), 1, whole);
  }
};

}  // namespace

const Schema<CoarseDropoutOptions>& CoarseDropoutOptions::schema() {
  using O = CoarseDropoutOptions;
  static const auto schema =
      pixel_schema<O>("The image to change; bytes or floats.")
          .field(&O::holes, "holes",
                 "How many rectangles: one number, or the least and the greatest.", not_empty(),
                 at_least(1), at_most(10'000))
          .field(&O::size, "size",
                 "Their height and width as shares of the image's: one number, or the least and "
                 "the greatest.",
                 not_empty(), above(0), at_most(1))
          .field(&O::fill, "fill", "What is written: one number, or one for each channel.",
                 not_empty())
          .check("'holes' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.holes); })
          .check("'size' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.size); });
  return schema;
}

Choice<SampleOp> coarse_dropout(CoarseDropoutOptions options) {
  return choose<SampleOp>("coarse_dropout", options);
}

void register_coarse_dropout(Registry<SampleOp>& registry) {
  registry.add<CoarseDropout>("coarse_dropout",
                              "Writes over several small rectangles of the image.");
}

}  // namespace hearth::sample_ops
