// Equally likely numbers of a range.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct UniformOptions {
  double low = 0;
  double high = 1;
  static const Schema<UniformOptions>& schema();
};

[[nodiscard]] Choice<Initializer> uniform(UniformOptions options = {});

}  // namespace hearth::initializers
