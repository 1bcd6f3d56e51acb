// log(1 + exp(beta x)) / beta, value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SoftplusOptions {
  double beta = 1;
  double threshold = 20;
  static const Schema<SoftplusOptions>& schema();
};

[[nodiscard]] Choice<Layer> softplus(SoftplusOptions options = {});

}  // namespace hearth::layers
