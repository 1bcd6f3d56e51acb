// Normal numbers that keep the size of values and of gradients (Glorot).
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct XavierNormalOptions {
  double gain = 1;
  static const Schema<XavierNormalOptions>& schema();
};

[[nodiscard]] Choice<Initializer> xavier_normal(XavierNormalOptions options = {});

}  // namespace hearth::initializers
