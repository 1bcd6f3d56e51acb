// Multiplies gradients by a number.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct ScaleGradientsOptions {
  std::string in = "gradients";
  std::string out = "";
  double by = 1;
  static const Schema<ScaleGradientsOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> scale_gradients(ScaleGradientsOptions options = {});

}  // namespace hearth::network_ops
