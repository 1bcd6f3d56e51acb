// Uniform numbers that keep the size of values and of gradients (Glorot).
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct XavierUniformOptions {
  double gain = 1;
  static const Schema<XavierUniformOptions>& schema();
};

[[nodiscard]] Choice<Initializer> xavier_uniform(XavierUniformOptions options = {});

}  // namespace hearth::initializers
