// Low-rank parts added to the weights they stand beside: what was learned becomes an ordinary
// model.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "hearth/format/weight_file.h"

namespace hearth {

struct MergedWeights {
  std::vector<WeightView> tensors;  // of `base`, without lora_a, lora_b and lora_scale
  std::vector<std::string> merged;  // names of the weights that something was added to
  std::list<std::vector<std::byte>> rooms;
};

// weight + scale * lora_b * lora_a, summed in float64, for every weight of `base` that has them in
// `parts`, which may be the same file. DataError for parts without a weight, or of shapes that do
// not fit, and when there are none. Both files must outlive what comes.
[[nodiscard]] MergedWeights merged_weights(const WeightFile& base, const WeightFile& parts);

}  // namespace hearth
