// x where it is positive, alpha (exp(x / alpha) - 1) elsewhere.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct CeluOptions {
  double alpha = 1;
  static const Schema<CeluOptions>& schema();
};

[[nodiscard]] Choice<Layer> celu(CeluOptions options = {});

}  // namespace hearth::layers
