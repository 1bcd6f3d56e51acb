// Normal numbers that keep the size of values through relus (He).
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct KaimingNormalOptions {
  std::string mode = "fan_in";
  std::string activation = "leaky_relu";
  double negative_slope = 0;
  static const Schema<KaimingNormalOptions>& schema();
};

[[nodiscard]] Choice<Initializer> kaiming_normal(KaimingNormalOptions options = {});

}  // namespace hearth::initializers
