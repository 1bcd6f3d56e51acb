// A price on large scores.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct OpenPenaltyOptions {
  std::string in = "logits";
  std::string out = "penalty";
  double weight = 1;
  static const Schema<OpenPenaltyOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> open_penalty(OpenPenaltyOptions options = {});

}  // namespace hearth::network_ops
