// Bounds the norm of all gradients together.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct ClipNormOptions {
  std::string in = "gradients";
  std::string out = "";
  double at = 1;
  static const Schema<ClipNormOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> clip_norm(ClipNormOptions options = {});

}  // namespace hearth::network_ops
