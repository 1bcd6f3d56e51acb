// Keeps the checkpoint with the best value of a metric.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct BestModelOptions {
  std::string monitor = "eval/loss";
  std::string name = "best";
  static const Schema<BestModelOptions>& schema();
};

Choice<Trace> best_model(BestModelOptions options = {});

}  // namespace hearth::traces
