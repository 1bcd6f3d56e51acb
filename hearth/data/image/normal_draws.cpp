// The quantiles of the normal distribution.
#include "hearth/data/image/normal_draws.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hearth {

namespace {

// The x below which a normal number lies with this chance, found by halving.
double normal_quantile(double chance) {
  double low = -8;
  double high = 8;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < chance ? low : high) = middle;
  }
  return low;
}

}  // namespace

// The ends, which would be infinite, are where half of a last step is left.
const std::array<float, NormalDraws::kCells + 1>& NormalDraws::table() {
  static const auto made = [] {
    std::array<float, kCells + 1> quantiles;
    for (size_t i = 0; i <= kCells; ++i) {
      const double chance = static_cast<double>(i) / kCells;
      quantiles[i] =
          static_cast<float>(normal_quantile(std::clamp(chance, 0x1p-17, 1.0 - 0x1p-17)));
    }
    return quantiles;
  }();
  return made;
}

}  // namespace hearth
