// The loss of a regression: squares of small errors, distances of large ones.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct HuberLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string form = "huber";
  double delta = 1;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<HuberLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> huber_loss(HuberLossOptions options = {});

}  // namespace hearth::network_ops
