// How many layers or blocks an option may ask for, one after another: each is built.
#pragma once

#include "hearth/config/type.h"

namespace hearth {

struct LayerCount {
  static constexpr double kMost = 1'000;
  double least = 1;
  void apply(Field& field) const {
    at_least(least).apply(field);
    at_most(kMost).apply(field);
  }
};
[[nodiscard]] constexpr LayerCount layer_count(double least = 1) { return {least}; }

}  // namespace hearth
