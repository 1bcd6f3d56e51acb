// What scores say of a target.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct PredictionOptions {
  std::string in = "logits";
  std::string target = "label";
  std::string out = "probability";
  static const Schema<PredictionOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> prediction(PredictionOptions options = {});

}  // namespace hearth::network_ops
