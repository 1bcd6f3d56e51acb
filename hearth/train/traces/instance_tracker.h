// Follows the loss of each sample: the hardest, and those that were learned and forgotten.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct InstanceTrackerOptions {
  std::vector<std::string> in = {"logits", "label"};
  int64_t count = 10;
  bool losses = true;
  std::string out = "instances";
  static const Schema<InstanceTrackerOptions>& schema();
};

[[nodiscard]] Choice<Trace> instance_tracker(InstanceTrackerOptions options = {});

}  // namespace hearth::traces
