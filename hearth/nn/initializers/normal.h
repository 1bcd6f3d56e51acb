// Normally distributed numbers.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct NormalOptions {
  double mean = 0;
  double std = 1;
  static const Schema<NormalOptions>& schema();
};

[[nodiscard]] Choice<Initializer> normal(NormalOptions options = {});

}  // namespace hearth::initializers
