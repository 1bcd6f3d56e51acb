// Adds noise to an image of bytes or floats.
#include "hearth/data/ops/image/noise.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/normal_draws.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

struct NoiseRange {
  float black, white, amount;
};

// Bytes stay between black and white.
uint8_t noisy(uint8_t value, float noise, const NoiseRange& range) {
  const float sum = std::clamp(static_cast<float>(value) + noise, range.black, range.white);
  return static_cast<uint8_t>(sum + 0.5F);
}
float noisy(float value, float noise, const NoiseRange&) { return value + noise; }

template <class T, class Draw>
void add_noise(std::span<T> values, const NoiseRange& range, const Draw& draw) {
  for (T& value : values) value = noisy(value, draw(), range);
}

// One draw says whether, and which.
template <class T>
void sprinkle(Random& random, std::span<T> values, const NoiseRange& range) {
  for (T& value : values) {
    const float drawn = random.uniform();
    if (drawn < range.amount)
      value = static_cast<T>(drawn < 0.5F * range.amount ? range.black : range.white);
  }
}

class Noise : public PixelOp<NoiseOptions> {
 public:
  explicit Noise(Options options)
      : PixelOp("noise", std::move(options), {.takes_floats = true, .takes_any_white = true}) {}

 private:
  void change(Random& random, const View& image) const override {
    const bool is_bytes = image.spec->dtype == DType::kUint8;
    const auto [black, white] =
        image.spec->image_range.value_or(std::pair(0.0, is_bytes ? 255.0 : 1.0));
    const NoiseRange range{static_cast<float>(black), static_cast<float>(white),
                           static_cast<float>(drawn_range(options_.amount).draw(random))};
    if (is_bytes)
      add(random, image.as<uint8_t>(), range);
    else
      add(random, image.as<float>(), range);
  }

  template <class T>
  void add(Random& random, std::span<T> values, const NoiseRange& range) const {
    const float reach = range.amount * (range.white - range.black);
    if (options_.kind == "salt_and_pepper") return sprinkle(random, values, range);
    if (options_.kind == "uniform")
      return add_noise(values, range, [&] { return reach * (2.0F * random.uniform() - 1.0F); });
    NormalDraws draw(random);
    add_noise(values, range, [&] { return reach * draw(); });
  }
};

}  // namespace

const Schema<NoiseOptions>& NoiseOptions::schema() {
  using O = NoiseOptions;
  static const auto schema =
      pixel_schema<O>("The image to change; bytes or floats.")
          .field(&O::kind, "kind",
                 "`gaussian` and `uniform` noise are added to every value; `salt_and_pepper` makes "
                 "some values black or white.",
                 one_of({"gaussian", "uniform", "salt_and_pepper"}))
          .field(&O::amount, "amount",
                 "The deviation, or the greatest difference of uniform noise, as a share of what "
                 "lies between black and white; the share of values that salt and pepper changes. "
                 "One number, or the least and the greatest.",
                 not_empty(), at_least(0), at_most(1))
          .check("'amount' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.amount); });
  return schema;
}

Choice<SampleOp> noise(NoiseOptions options) { return choose<SampleOp>("noise", options); }

void register_noise(Registry<SampleOp>& registry) {
  registry.add<Noise>("noise", "Adds noise to an image of bytes or floats.");
}

}  // namespace hearth::sample_ops
