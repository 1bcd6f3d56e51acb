// The loss of a regression of quantiles.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct QuantileLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::vector<double> quantiles = {0.5};
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<QuantileLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> quantile_loss(QuantileLossOptions options = {});

}  // namespace hearth::network_ops
