// Predicted numbers beside the true ones, as metrics of regression read them.
#pragma once

#include <span>

#include "hearth/core/spec.h"
#include "hearth/metric/batch_mean.h"

namespace hearth {

// What metrics say of the keys they read this way.
inline constexpr const char* kNumberPairsHelp =
    "Keys of the predicted numbers and of the true ones, as many of each. Classes are no numbers: "
    "class numbers and soft labels are refused.";

// A prediction is float [B, ...]; a target has as many numbers of any type, [B] beside [B, 1] too.
// GraphError says which key does not fit, and how.
void check_number_pairs(const KeySpec& prediction, const KeySpec& target);
// Predictions minus targets, in the shape of the predictions; as doubles, whose squares and sums
// neither overflow nor lose digits.
[[nodiscard]] at::Tensor errors_of(std::span<const at::Tensor> prediction_and_target);

}  // namespace hearth
