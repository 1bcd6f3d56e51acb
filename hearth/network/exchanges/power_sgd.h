// Gradients as products of two thin matrices.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct PowerSgdOptions {
  int64_t rank = 4;
  double gain = 2;
  int64_t exact_steps = 0;
  int64_t seed = 0;
  static const Schema<PowerSgdOptions>& schema();
};

[[nodiscard]] Choice<Exchange> power_sgd(PowerSgdOptions options = {});

}  // namespace hearth::exchanges
