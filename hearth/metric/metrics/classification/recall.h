// Of the samples of a class, the share that was found.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> recall(const AveragedClassOptions& options = {});

}  // namespace hearth::metrics
