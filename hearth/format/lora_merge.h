// Parts that were learned beside a model, brought back to its weights: low-rank ones are added to
// them and leave an ordinary model; others, such as adapters, stand beside them again.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "hearth/format/weight_file.h"

namespace hearth {

struct MergedWeights {
  // Of `base`, without lora_a, lora_b and lora_scale; then those that only `parts` has.
  std::vector<WeightView> tensors;
  std::vector<std::string> merged;  // names of the weights that something was added to
  std::vector<std::string> joined;  // names of those that only `parts` has
  std::list<std::vector<std::byte>> rooms;
};

// weight + scale * lora_b * lora_a, summed in float64, for every weight of `base` that has them in
// `parts`, which may be the same file. DataError for low-rank parts without a weight, or of shapes
// that do not fit, and when `parts` has nothing to bring. Both files must outlive what comes.
[[nodiscard]] MergedWeights merged_weights(const WeightFile& base, const WeightFile& parts);

}  // namespace hearth
