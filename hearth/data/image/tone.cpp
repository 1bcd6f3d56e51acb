// Maps of values, computed once for the 256 there are.
#include "hearth/data/image/tone.h"

#include "hearth/data/image/blend.h"
#include "hearth/data/image/byte_table.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

HEARTH_WIDE_LOOP void keep_bits(uint8_t* bytes, size_t count, uint8_t mask) {
  for (size_t i = 0; i < count; ++i) bytes[i] &= mask;
}

HEARTH_WIDE_LOOP void invert_from(uint8_t* bytes, size_t count, uint8_t first) {
  for (size_t i = 0; i < count; ++i) {
    const uint8_t value = bytes[i];
    bytes[i] = value >= first ? static_cast<uint8_t>(255 - value) : value;
  }
}

HEARTH_WIDE_LOOP void blend_with(uint8_t* bytes, size_t count, const Blend& blend, float other) {
  for (size_t i = 0; i < count; ++i) bytes[i] = blend(bytes[i], other);
}

// Stretches from..to to the whole range; a channel of one value stays.
ByteTable stretched(int64_t from, int64_t to) {
  const auto black = static_cast<float>(from);
  const float scale = 1.0F / static_cast<float>(to - from) * 255.0F;  // in this order, as torch
  return byte_table(
      [&](uint8_t value) { return byte_of((static_cast<float>(value) - black) * scale); });
}

// After PIL: each value goes to the share of pixels below it; pixels of the greatest are not
// counted, and images with too few pixels for that stay (no step).
ByteTable equalized(const Histogram& counts, int64_t step) {
  ByteTable table{};
  int64_t below = step / 2;
  for (size_t value = 0; value < table.size(); ++value) {
    const int64_t level = value == 0 ? 0 : below / step;
    table[value] = static_cast<uint8_t>(level < 255 ? level : 255);
    below += counts[value];
  }
  return table;
}

}  // namespace

void adjust_brightness(const Pixels& image, double factor) {
  blend_with(image.bytes, image.all().size(), Blend(factor), 0.0F);
}

void adjust_contrast(const Pixels& image, double factor) {
  if (image.count() == 0) return;
  const float mean = static_cast<float>(gray_sum(image)) / static_cast<float>(image.count());
  blend_with(image.bytes, image.all().size(), Blend(factor), mean);
}

void invert(const Pixels& image) { invert_from(image.bytes, image.all().size(), 0); }

void posterize(const Pixels& image, int64_t bits) {
  keep_bits(image.bytes, image.all().size(), static_cast<uint8_t>(0xFF00U >> bits));
}

void solarize(const Pixels& image, double threshold) {
  int first = 0;
  while (first < 256 && first < threshold) ++first;
  if (first < 256) invert_from(image.bytes, image.all().size(), static_cast<uint8_t>(first));
}

void autocontrast(const Pixels& image) {
  for (int64_t c = 0; c < image.channels; ++c) {
    const Histogram counts = histogram_of(image, c);
    int64_t least = 0;
    int64_t greatest = 255;
    while (least < 255 && counts[static_cast<size_t>(least)] == 0) ++least;
    while (greatest > 0 && counts[static_cast<size_t>(greatest)] == 0) --greatest;
    if (least < greatest) map_channel(image, c, stretched(least, greatest));
  }
}

void equalize(const Pixels& image) {
  for (int64_t c = 0; c < image.channels; ++c) {
    const Histogram counts = histogram_of(image, c);
    size_t greatest = 255;
    while (greatest > 0 && counts[greatest] == 0) --greatest;
    const int64_t step = (image.count() - counts[greatest]) / 255;
    if (step > 0) map_channel(image, c, equalized(counts, step));
  }
}

}  // namespace hearth::pixels
