// A price on the size of weights, as a part of the loss.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct WeightPenaltyOptions {
  std::string model = "net";
  std::vector<std::string> match = {"*"};
  double l1 = 0;
  double l2 = 0;
  double orthogonal = 0;
  bool vectors = false;
  bool of_layers = false;
  std::string in = "loss";
  std::vector<std::string> out = {"penalty", "penalized_loss"};
  static const Schema<WeightPenaltyOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> weight_penalty(WeightPenaltyOptions options = {});

}  // namespace hearth::network_ops
