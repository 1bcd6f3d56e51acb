// Runs a model on one key or several.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct CallOptions {
  std::string model = "net";
  std::vector<std::string> in = {"image"};
  std::vector<std::string> out = {"logits"};
  bool detach = false;
  static const Schema<CallOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> call(CallOptions options = {});

}  // namespace hearth::network_ops
