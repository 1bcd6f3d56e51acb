// Weights at right angles, scaled until what each layer gives has variance 1 (Mishkin and Matas).
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct LsuvOptions {
  int64_t samples = 32;
  double std = 1;
  static const Schema<LsuvOptions>& schema();
};

[[nodiscard]] Choice<Initializer> lsuv(LsuvOptions options = {});

}  // namespace hearth::initializers
