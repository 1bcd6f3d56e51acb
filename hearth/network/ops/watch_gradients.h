// The norm of gradients, as a number of the batch.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct WatchGradientsOptions {
  std::string in = "gradients";
  std::string out = "gradient_norm";
  static const Schema<WatchGradientsOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> watch_gradients(WatchGradientsOptions options = {});

}  // namespace hearth::network_ops
