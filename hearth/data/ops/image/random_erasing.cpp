// Writes over a rectangle of the image, of a size and place drawn for each.
#include "hearth/data/ops/image/random_erasing.h"

#include <cmath>
#include <optional>

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/rectangle.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class RandomErasing : public PixelOp<RandomErasingOptions> {
 public:
  explicit RandomErasing(Options options)
      : PixelOp("random_erasing", std::move(options),
                {.takes_floats = true, .takes_any_white = true}) {}

 private:
  void change(Random& random, const View& image) const override {
    const auto rectangle = drawn_rectangle(random, image);
    if (!rectangle) return;
    if (options_.noise) return fill_rectangle_with_noise(random, image, *rectangle);
    fill_rectangle(image, *rectangle, options_.fill);
  }

  // Ten tries, as in torchvision; an image in which none fits stays as it is.
  [[nodiscard]] std::optional<Rectangle> drawn_rectangle(Random& random, const View& image) const {
    const int64_t height = image.shape[0];
    const int64_t width = image.shape[1];
    const DrawnRange areas = drawn_range(options_.scale);
    const DrawnRange ratios{std::log(options_.ratio.front()), std::log(options_.ratio.back())};
    for (int i = 0; i < 10; ++i) {
      const double area = static_cast<double>(height * width) * areas.draw(random);
      const double ratio = std::exp(ratios.draw(random));
      Rectangle rectangle{0, 0, std::llround(std::sqrt(area * ratio)),
                          std::llround(std::sqrt(area / ratio))};
      if (rectangle.height >= height || rectangle.width >= width) continue;
      rectangle.top = random.between(0, height - rectangle.height);
      rectangle.left = random.between(0, width - rectangle.width);
      return rectangle;
    }
    return std::nullopt;
  }
};

}  // namespace

const Schema<RandomErasingOptions>& RandomErasingOptions::schema() {
  using O = RandomErasingOptions;
  static const auto schema =
      pixel_schema<O>("The image to change; bytes or floats.")
          .field(&O::scale, "scale",
                 "The least and the greatest share of the image's area; one number is both.",
                 not_empty(), at_least(0), at_most(1))
          .field(&O::ratio, "ratio",
                 "The least and the greatest height over width; one number is both.", not_empty(),
                 at_least(0.01), at_most(100))
          .field(&O::fill, "fill", "What is written: one number, or one for each channel.",
                 not_empty())
          .field(&O::noise, "noise",
                 "Writes random values instead of `fill`: bytes of any value, floats of mean 0 and "
                 "deviation 1.")
          .check("'scale' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.scale); })
          .check("'ratio' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.ratio); });
  return schema;
}

Choice<SampleOp> random_erasing(RandomErasingOptions options) {
  return choose<SampleOp>("random_erasing", options);
}

void register_random_erasing(Registry<SampleOp>& registry) {
  registry.add<RandomErasing>(
      "random_erasing", "Writes over a rectangle of the image, as torchvision's RandomErasing.");
}

}  // namespace hearth::sample_ops
