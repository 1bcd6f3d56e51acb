// The loss of a regression.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct MseLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<MseLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> mse_loss(MseLossOptions options = {});

}  // namespace hearth::network_ops
