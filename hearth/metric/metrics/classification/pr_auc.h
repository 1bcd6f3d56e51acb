// Average precision: the precision at each score, by how much recall it brings.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> pr_auc(const ClassRankOptions& options = {});

}  // namespace hearth::metrics
