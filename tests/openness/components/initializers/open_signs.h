// First values of one size and either sign.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct OpenSignsOptions {
  double size = 0.1;
  static const Schema<OpenSignsOptions>& schema();
};

[[nodiscard]] Choice<Initializer> open_signs(OpenSignsOptions options = {});

}  // namespace hearth::initializers
