// Adds normally distributed noise to gradients.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct GradientNoiseOptions {
  std::string in = "gradients";
  std::string out = "";
  double deviation = 0.01;
  static const Schema<GradientNoiseOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> gradient_noise(GradientNoiseOptions options = {});

}  // namespace hearth::network_ops
