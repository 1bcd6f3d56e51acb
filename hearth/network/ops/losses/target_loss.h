// The loss that fits the target.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct TargetLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<TargetLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> target_loss(TargetLossOptions options = {});

}  // namespace hearth::network_ops
