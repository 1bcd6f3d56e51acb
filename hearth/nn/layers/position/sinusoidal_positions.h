// Waves of many lengths over the places of a sequence, added to what stands there.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SinusoidalPositionsOptions {
  double base = 10000;
  static const Schema<SinusoidalPositionsOptions>& schema();
};

[[nodiscard]] Choice<Layer> sinusoidal_positions(SinusoidalPositionsOptions options = {});

}  // namespace hearth::layers
