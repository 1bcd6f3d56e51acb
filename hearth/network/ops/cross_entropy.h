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
  static const Schema<CrossEntropyOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> cross_entropy(CrossEntropyOptions options = {});

}  // namespace hearth::network_ops
