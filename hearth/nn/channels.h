// How many channels a network has when all its layers are made wider or narrower.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "hearth/config/type.h"

namespace hearth {

// The nearest number of channels, at least one.
[[nodiscard]] inline int64_t scaled_channels(int64_t channels, double factor) {
  return std::max<int64_t>(1, std::llround(static_cast<double>(channels) * factor));
}

// The nearest multiple of `divisor`, or the next one where that would be over a tenth too few: the
// rule of the mobile networks.
[[nodiscard]] inline int64_t divisible_channels(double channels, int64_t divisor = 8) {
  const auto half = static_cast<double>(divisor) / 2;
  const auto nearest = static_cast<int64_t>(channels + half) / divisor * divisor;
  const int64_t rounded = std::max(divisor, nearest);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + divisor : rounded;
}

// The rule of an option that numbers of channels are multiplied by: what comes out can be counted.
struct SizeFactor {
  void apply(Field& field) const {
    above(0).apply(field);
    at_most(1000).apply(field);
  }
};
[[nodiscard]] constexpr SizeFactor size_factor() { return {}; }

inline constexpr const char* kWidthHelp =
    "Factor of all channels: below 1 for a smaller network, above for a larger one.";

}  // namespace hearth
