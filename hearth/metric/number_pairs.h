// Predicted numbers beside the true ones, as metrics of regression read them.
#pragma once

#include <span>

#include "hearth/config/schema.h"
#include "hearth/core/spec.h"
#include "hearth/metric/batch_mean.h"

namespace hearth {

// The options of metrics that read keys this way.
template <class O>
[[nodiscard]] Schema<O> number_pairs_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the predicted numbers and of the true ones, as many of each. Classes are no "
             "numbers: class numbers and soft labels are refused.")
      .field(&O::out, "out", "Name the value is reported under.", not_empty())
      .check("in must name two keys: the predicted numbers and the true ones.",
             [](const O& options) { return options.in.size() == 2; });
}

// A prediction is float [B, ...]; a target has as many numbers of any type, [B] beside [B, 1] too.
// GraphError says which key does not fit, and how.
void check_number_pairs(const KeySpec& prediction, const KeySpec& target);
// Predictions minus targets, in the shape of the predictions; as doubles, whose squares and sums
// neither overflow nor lose digits.
[[nodiscard]] at::Tensor errors_of(std::span<const at::Tensor> prediction_and_target);

}  // namespace hearth
