// The loss of answers of yes or no.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct BinaryCrossEntropyOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::vector<double> pos_weight = {};
  double label_smoothing = 0;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<BinaryCrossEntropyOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> binary_cross_entropy(BinaryCrossEntropyOptions options = {});

}  // namespace hearth::network_ops
