// The sum of several values, each with its weight: one loss of many.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::network_ops {

struct SumOptions {
  std::vector<std::string> in = {"loss"};
  std::string out = "total";
  std::vector<double> weights = {};  // 1 for each when left out
  std::map<std::string, Scheduled> parts = {};
  static const Schema<SumOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> sum(SumOptions options = {});

}  // namespace hearth::network_ops
