// The loss of a classifier.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct CrossEntropyOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  double label_smoothing = 0;
  std::vector<double> class_weights = {};
  int64_t ignore = -100;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<CrossEntropyOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> cross_entropy(CrossEntropyOptions options = {});

}  // namespace hearth::network_ops
