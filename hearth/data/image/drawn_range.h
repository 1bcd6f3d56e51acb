// Ranges from which ops draw a number for each sample, as options give them: one number or two.
#pragma once

#include <algorithm>
#include <vector>

#include "hearth/core/random.h"

namespace hearth {

struct DrawnRange {
  double low = 0;
  double high = 0;
  [[nodiscard]] double draw(Random& random) const {
    return low + (high - low) * static_cast<double>(random.uniform());
  }
};

// One number is drawn always.
[[nodiscard]] inline DrawnRange drawn_range(const std::vector<double>& option) {
  return {option.front(), option.back()};
}

// One number says how far factors lie from 1 at most, two are the least and the greatest factor.
[[nodiscard]] inline DrawnRange factor_range(const std::vector<double>& option) {
  if (option.size() > 1) return drawn_range(option);
  return {std::max(0.0, 1.0 - option[0]), 1.0 + option[0]};
}

// One number is the turn to either side at most, two are the least and the greatest turn.
[[nodiscard]] inline DrawnRange turn_range(const std::vector<double>& option) {
  if (option.size() > 1) return drawn_range(option);
  return {-option[0], option[0]};
}

// For checks of options: one number, or two in order.
template <class T>
[[nodiscard]] bool is_one_or_range(const std::vector<T>& option) {
  return option.size() == 1 || (option.size() == 2 && option[0] <= option[1]);
}

}  // namespace hearth
