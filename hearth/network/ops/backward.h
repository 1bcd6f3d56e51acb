// Finds the gradients of models, and gives them a key.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct BackwardOptions {
  std::vector<std::string> model = {"net"};
  std::string loss = "loss";
  std::string in = "";
  std::string out = "gradients";
  static const Schema<BackwardOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> backward(BackwardOptions options = {});

}  // namespace hearth::network_ops
