// Normally distributed numbers, without those beyond two bounds.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct TruncNormalOptions {
  double mean = 0;
  double std = 1;
  double low = -2;
  double high = 2;
  static const Schema<TruncNormalOptions>& schema();
};

[[nodiscard]] Choice<Initializer> trunc_normal(TruncNormalOptions options = {});

}  // namespace hearth::initializers
