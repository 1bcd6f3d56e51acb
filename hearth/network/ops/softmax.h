// Scores of classes to probabilities.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct SoftmaxOptions {
  std::string in = "logits";
  std::string out = "probability";
  static const Schema<SoftmaxOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> softmax(SoftmaxOptions options = {});

}  // namespace hearth::network_ops
