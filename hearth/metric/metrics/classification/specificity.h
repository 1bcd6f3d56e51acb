// Of the samples of other classes, the share that was not taken for this one.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> specificity(const AveragedClassOptions& options = {});

}  // namespace hearth::metrics
