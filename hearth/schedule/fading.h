// The range of a value that is multiplied by a factor without end.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

namespace hearth {

[[nodiscard]] inline std::pair<double, double> fading_range(double first, double factor) {
  if (factor == 1 || first == 0) return {first, first};
  const double end =
      factor < 1 ? 0 : (first > 0 ? 1 : -1) * std::numeric_limits<double>::infinity();
  return std::minmax(first, end);
}

}  // namespace hearth
