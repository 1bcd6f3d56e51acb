// Moves the parameters of models by gradients that have a key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct StepOptions {
  std::string gradients = "gradients";
  std::vector<std::string> model = {};
  std::string optimizer = "";
  int64_t accumulate = 1;
  double clip_norm = 0;  // off
  static const Schema<StepOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> step(StepOptions options = {});

}  // namespace hearth::network_ops
