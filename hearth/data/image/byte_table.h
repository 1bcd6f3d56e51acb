// What becomes of each value of a byte, looked up instead of computed.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "hearth/data/image/pixels.h"

namespace hearth {

using ByteTable = std::array<uint8_t, 256>;

// table[v] = map(v).
template <class Map>
[[nodiscard]] ByteTable byte_table(const Map& map) {
  ByteTable table;
  for (size_t value = 0; value < table.size(); ++value)
    table[value] = map(static_cast<uint8_t>(value));
  return table;
}

void map_bytes(std::span<uint8_t> bytes, const ByteTable& table);
void map_channel(const Pixels& image, int64_t channel, const ByteTable& table);

using Histogram = std::array<int64_t, 256>;
[[nodiscard]] Histogram histogram_of(const Pixels& image, int64_t channel);

}  // namespace hearth
