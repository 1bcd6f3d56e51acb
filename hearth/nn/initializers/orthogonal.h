// A matrix whose rows, or columns, are at right angles.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct OrthogonalOptions {
  double gain = 1;
  static const Schema<OrthogonalOptions>& schema();
};

[[nodiscard]] Choice<Initializer> orthogonal(OrthogonalOptions options = {});

}  // namespace hearth::initializers
