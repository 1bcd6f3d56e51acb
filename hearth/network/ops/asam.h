// A step along the gradient of the worst place nearby, by the size of each weight.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct AsamOptions {
  std::string model = "net";
  std::string loss = "loss";
  double rho = 0.5;
  double eta = 0.01;
  double clip_norm = 0;  // off
  static const Schema<AsamOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> asam(AsamOptions options = {});

}  // namespace hearth::network_ops
