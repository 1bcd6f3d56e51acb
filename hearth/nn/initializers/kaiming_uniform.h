// Uniform numbers that keep the size of values through relus (He).
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct KaimingUniformOptions {
  std::string mode = "fan_in";
  std::string activation = "leaky_relu";
  double negative_slope = 0;
  static const Schema<KaimingUniformOptions>& schema();
};

[[nodiscard]] Choice<Initializer> kaiming_uniform(KaimingUniformOptions options = {});

}  // namespace hearth::initializers
