// Bounds every number of the gradients.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct ClipValueOptions {
  std::string in = "gradients";
  std::string out = "";
  double at = 1;
  static const Schema<ClipValueOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> clip_value(ClipValueOptions options = {});

}  // namespace hearth::network_ops
