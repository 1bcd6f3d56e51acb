// The loss of a regression.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct MseLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  static const Schema<MseLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> mse_loss(MseLossOptions options = {});

}  // namespace hearth::network_ops
