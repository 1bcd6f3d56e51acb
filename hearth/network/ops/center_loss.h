// Points of a class near its center, which is learned.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth::network_ops {

struct CenterLossOptions {
  std::string name = "centers";
  std::vector<std::string> in = {"features", "label"};
  std::string out = "center_loss";
  Choice<Optimizer> optimizer = optimizers::sgd({.lr = 0.5});
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<CenterLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> center_loss(CenterLossOptions options = {});

}  // namespace hearth::network_ops
