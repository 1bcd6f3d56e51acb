// The same number everywhere.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct ConstantOptions {
  double value = 0;
  static const Schema<ConstantOptions>& schema();
};

[[nodiscard]] Choice<Initializer> constant(ConstantOptions options = {});

}  // namespace hearth::initializers
