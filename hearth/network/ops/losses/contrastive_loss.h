// Points that belong together near each other, others apart.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct ContrastiveLossOptions {
  std::vector<std::string> in = {"points", "label"};
  std::string out = "loss";
  double margin = 1;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<ContrastiveLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> contrastive_loss(ContrastiveLossOptions options = {});

}  // namespace hearth::network_ops
