// Keeps the checkpoint with the best value of a metric, or the best few.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct BestModelOptions {
  std::string monitor = "eval/loss";
  std::map<std::string, double> with = {};
  std::string name = "best";
  int64_t keep = 1;
  static const Schema<BestModelOptions>& schema();
};

Choice<Trace> best_model(BestModelOptions options = {});

}  // namespace hearth::traces
