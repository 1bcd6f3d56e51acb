// Files to predict as samples.
#pragma once

#include <vector>

#include "hearth/train/estimator.h"
#include "hearth/train/raw_sample.h"

namespace hearth {

// For the one key that the model needs, or row by row for the columns of a table. GraphError when
// it needs several keys.
[[nodiscard]] std::vector<RawSample> samples_of_files(const std::vector<PredictInput>& inputs,
                                                      PredictionEngine& engine);

}  // namespace hearth
