// Blur down the columns into a row of floats, then along it.
#include <cmath>
#include <cstring>

#include "hearth/data/image/filter.h"
#include "hearth/data/image/scratch.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

// 2 1 | 0 1 2 3 | 2 1: the side itself is not repeated. However far outside, it ends inside.
int64_t mirrored(int64_t at, int64_t length) {
  if (length == 1) return 0;
  const int64_t period = 2 * (length - 1);
  const int64_t within = ((at % period) + period) % period;
  return within < length ? within : period - within;
}

HEARTH_WIDE_LOOP void add_weighted(const uint8_t* from, float weight, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] += weight * static_cast<float>(from[i]);
}

// Rounded to the nearest byte, halves to the even one: a float of 2^23 has no fractions.
HEARTH_WIDE_LOOP void blur_row(const float* from, std::span<const float> weights, int64_t channels,
                               int64_t count, float* sums, uint8_t* to) {
  for (int64_t i = 0; i < count; ++i) sums[i] = 0.0F;
  for (const float weight : weights) {
    for (int64_t i = 0; i < count; ++i) sums[i] += weight * from[i];
    from += channels;
  }
  for (int64_t i = 0; i < count; ++i) {
    const float whole = (sums[i] + 0x1p23F) - 0x1p23F;
    to[i] = static_cast<uint8_t>(static_cast<int32_t>(whole < 255.0F ? whole : 255.0F));
  }
}

// What lies beyond a row's sides, from what lies within.
void mirror_sides(float* row, const Pixels& image, int64_t radius) {
  const int64_t channels = image.channels;
  const auto copy = [&](int64_t x) {
    std::memcpy(row + x * channels, row + mirrored(x, image.width) * channels,
                static_cast<size_t>(channels) * sizeof(float));
  };
  for (int64_t k = 1; k <= radius; ++k) {
    copy(-k);
    copy(image.width - 1 + k);
  }
}

}  // namespace

GaussianWindow::GaussianWindow(int64_t pixels, double sigma) : pixels_(pixels) {
  double sum = 0;
  const auto weight = [&](int64_t k) {
    const double distance = static_cast<double>(k - pixels / 2) / sigma;
    return std::exp(-0.5 * distance * distance);
  };
  for (int64_t k = 0; k < pixels; ++k) sum += weight(k);
  for (int64_t k = 0; k < pixels; ++k)
    weights_[static_cast<size_t>(k)] = static_cast<float>(weight(k) / sum);
}

void gaussian_blur(const Pixels& image, const GaussianWindow& across, const GaussianWindow& down) {
  if (image.all().empty()) return;
  thread_local Scratch<uint8_t> original_scratch;
  thread_local Scratch<float> row_scratch;
  const int64_t row_bytes = image.row_bytes();
  const int64_t margin = across.radius() * image.channels;
  const auto original = original_scratch.take(image.all().size());
  const auto floats = row_scratch.take(static_cast<size_t>(2 * row_bytes + 2 * margin));
  float* row = floats.data() + margin;
  float* sums = row + row_bytes + margin;
  std::memcpy(original.data(), image.bytes, original.size());
  for (int64_t y = 0; y < image.height; ++y) {
    std::memset(row, 0, static_cast<size_t>(row_bytes) * sizeof(float));
    int64_t from = y - down.radius();
    for (const float weight : down.weights())
      add_weighted(original.data() + mirrored(from++, image.height) * row_bytes, weight, row_bytes,
                   row);
    mirror_sides(row, image, across.radius());
    blur_row(row - margin, across.weights(), image.channels, row_bytes, sums,
             image.bytes + y * row_bytes);
  }
}

}  // namespace hearth::pixels
