// x where it is positive, a small share of it elsewhere.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LeakyReluOptions {
  double negative_slope = 0.01;
  static const Schema<LeakyReluOptions>& schema();
};

[[nodiscard]] Choice<Layer> leaky_relu(LeakyReluOptions options = {});

}  // namespace hearth::layers
