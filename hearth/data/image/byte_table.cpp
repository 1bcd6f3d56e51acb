// What becomes of each value of a byte, looked up instead of computed.
#include "hearth/data/image/byte_table.h"

namespace hearth {

void map_bytes(std::span<uint8_t> bytes, const ByteTable& table) {
  uint8_t* at = bytes.data();
  uint8_t* const end = at + bytes.size();
  for (; at + 4 <= end; at += 4) {  // four that do not wait for each other
    const uint8_t a = table[at[0]];
    const uint8_t b = table[at[1]];
    const uint8_t c = table[at[2]];
    const uint8_t d = table[at[3]];
    at[0] = a;
    at[1] = b;
    at[2] = c;
    at[3] = d;
  }
  for (; at < end; ++at) *at = table[*at];
}

void map_channel(const Pixels& image, int64_t channel, const ByteTable& table) {
  if (image.count() == 0) return;  // perhaps no memory either
  uint8_t* at = image.bytes + channel;
  for (int64_t i = 0; i < image.count(); ++i, at += image.channels) *at = table[*at];
}

// Two halves: of equal values behind each other, the second does not wait for the first.
Histogram histogram_of(const Pixels& image, int64_t channel) {
  std::array<uint32_t, 256> even{};
  std::array<uint32_t, 256> odd{};
  const int64_t count = image.count();
  if (count == 0) return {};
  const uint8_t* at = image.bytes + channel;
  for (int64_t i = 0; i + 1 < count; i += 2, at += 2 * image.channels) {
    ++even[at[0]];
    ++odd[at[image.channels]];
  }
  if (count % 2 == 1) ++even[*at];
  Histogram counts;
  for (size_t value = 0; value < counts.size(); ++value)
    counts[value] = int64_t{even[value]} + odd[value];
  return counts;
}

}  // namespace hearth
