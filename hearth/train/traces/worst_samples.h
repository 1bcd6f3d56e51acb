// Names the samples with the highest losses, and draws them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct WorstSamplesOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string image = {};
  int64_t count = 10;
  std::string out = "worst_samples";
  static const Schema<WorstSamplesOptions>& schema();
};

[[nodiscard]] Choice<Trace> worst_samples(WorstSamplesOptions options = {});

}  // namespace hearth::traces
