// Matthews correlation coefficient of labels and answers, for any number of classes.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> mcc(const ClassMetricOptions& options = {});

}  // namespace hearth::metrics
