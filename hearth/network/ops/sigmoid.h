// Scores of yes or no to probabilities.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct SigmoidOptions {
  std::string in = "logits";
  std::string out = "probability";
  static const Schema<SigmoidOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> sigmoid(SigmoidOptions options = {});

}  // namespace hearth::network_ops
