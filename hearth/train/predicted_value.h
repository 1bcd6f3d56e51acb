// A model's output for one sample, read by what it is.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/train/prediction.h"

namespace hearth {

// How a wanted key is read: found once for a plan.
struct OutputReading {
  std::string key;
  Role role = Role::kPlain;
  std::vector<std::string> class_names = {};
  int64_t top = 0;  // classes in `scores`
};

// `spec` is the output's in the network; `data` says which classes there are.
[[nodiscard]] OutputReading reading_of(const std::string& key, const Spec& spec,
                                       const std::vector<KeySpec>& data);

// `row` holds doubles on the CPU. DataError for what is not finite names the `input`.
[[nodiscard]] PredictedValue read_output(const OutputReading& reading, const at::Tensor& row,
                                         const std::string& input);

}  // namespace hearth
