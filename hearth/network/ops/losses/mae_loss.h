// The loss of a regression that forgives outliers.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct MaeLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<MaeLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> mae_loss(MaeLossOptions options = {});

}  // namespace hearth::network_ops
