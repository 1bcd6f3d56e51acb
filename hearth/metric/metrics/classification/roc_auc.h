// The area under the curve of true by false alarms: how often a sample of a class scores higher
// than another.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> roc_auc(const ClassRankOptions& options = {});

}  // namespace hearth::metrics
