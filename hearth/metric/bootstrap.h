// How sure a number is: the metric of samples drawn anew from those that were gathered, many times.
#pragma once

#include <functional>

#include <ATen/core/Tensor.h>

#include "hearth/config/schema.h"
#include "hearth/metric/bootstrap_options.h"
#include "hearth/metric/measured.h"

namespace hearth {

// Adds the numbers `low` and `high`, between which the headline of that share of the draws lies, if
// they are asked for. `headline` gives it for samples of which each came so often: double
// [samples]. The draws hang on the seed and on the number of samples alone.
void add_interval(const BootstrapOptions& options, int64_t samples,
                  const std::function<double(const at::Tensor& times)>& headline,
                  Measured& measured);

// Rows in an order that hangs on nothing but their bytes: int64 [N]. Columns are [N, ...].
[[nodiscard]] at::Tensor order_by_value(const std::vector<at::Tensor>& columns);

}  // namespace hearth
