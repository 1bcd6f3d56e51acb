// Brightness, contrast, saturation and hue, each drawn, in an order drawn for each image.
#include "hearth/data/ops/image/color_jitter.h"

#include <array>
#include <utility>

#include "hearth/config/registry.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

using Jitter = void (*)(const Pixels&, double);
constexpr std::array<Jitter, 4> kJitters = {pixels::adjust_brightness, pixels::adjust_contrast,
                                            pixels::adjust_saturation, pixels::adjust_hue};

bool jitter_ranges_fit(const ColorJitterOptions& options) {
  return is_one_or_range(options.brightness) && is_one_or_range(options.contrast) &&
         is_one_or_range(options.saturation) && is_one_or_range(options.hue) &&
         (options.hue.size() > 1 || options.hue[0] >= 0);
}

class ColorJitter : public PixelOp<ColorJitterOptions> {
 public:
  explicit ColorJitter(Options options)
      : PixelOp("color_jitter", std::move(options), {.takes_any_colors = false}),
        ranges_{factor_range(options_.brightness), factor_range(options_.contrast),
                factor_range(options_.saturation), turn_range(options_.hue)} {}

 private:
  void change(Random& random, const View& view) const override {
    const Pixels image = pixels_of(view);
    std::array<size_t, 4> order = {0, 1, 2, 3};
    for (uint32_t last = 3; last > 0; --last) std::swap(order[last], order[random.below(last + 1)]);
    std::array<double, 4> amounts;
    for (size_t i = 0; i < 4; ++i) amounts[i] = ranges_[i].draw(random);
    for (const size_t i : order)
      if (is_on(i)) kJitters[i](image, amounts[i]);
  }

  // A factor that is always 1 or a turn that is always 0 is not asked for.
  [[nodiscard]] bool is_on(size_t i) const {
    const double nothing = i == 3 ? 0 : 1;
    return ranges_[i].low != nothing || ranges_[i].high != nothing;
  }

  std::array<DrawnRange, 4> ranges_;
};

}  // namespace

const Schema<ColorJitterOptions>& ColorJitterOptions::schema() {
  using O = ColorJitterOptions;
  static const auto schema =
      pixel_schema<O>()
          .field(&O::brightness, "brightness", "As the op brightness's strength.", not_empty(),
                 at_least(0), at_most(1000))
          .field(&O::contrast, "contrast", "As the op contrast's strength.", not_empty(),
                 at_least(0), at_most(1000))
          .field(&O::saturation, "saturation", "As the op saturation's strength.", not_empty(),
                 at_least(0), at_most(1000))
          .field(&O::hue, "hue", "As the op hue's strength.", not_empty(), at_least(-0.5),
                 at_most(0.5))
          .check(
              "'brightness', 'contrast', 'saturation' and 'hue' must hold one number, or two in "
              "order; a single number of 'hue' is not below 0.",
              jitter_ranges_fit);
  return schema;
}

Choice<SampleOp> color_jitter(ColorJitterOptions options) {
  return choose<SampleOp>("color_jitter", options);
}

void register_color_jitter(Registry<SampleOp>& registry) {
  registry.add<ColorJitter>(
      "color_jitter",
      "Brightness, contrast, saturation and hue at random, in random order, as torchvision's.");
}

}  // namespace hearth::sample_ops
