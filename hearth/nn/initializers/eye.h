// Ones where row and column are equal, else zeros.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct EyeOptions {
  static const Schema<EyeOptions>& schema();
};

[[nodiscard]] Choice<Initializer> eye(EyeOptions options = {});

}  // namespace hearth::initializers
