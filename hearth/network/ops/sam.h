// A step along the gradient of the worst place nearby.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct SamOptions {
  std::string model = "net";
  std::string loss = "loss";
  double rho = 0.05;
  double clip_norm = 0;  // off
  static const Schema<SamOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> sam(SamOptions options = {});

}  // namespace hearth::network_ops
