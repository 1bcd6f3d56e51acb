// x where it is positive, alpha (exp(x) - 1) elsewhere.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct EluOptions {
  double alpha = 1;
  static const Schema<EluOptions>& schema();
};

[[nodiscard]] Choice<Layer> elu(EluOptions options = {});

}  // namespace hearth::layers
