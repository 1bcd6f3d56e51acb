// Of the answers that name a class, the share that is right.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> precision(const AveragedClassOptions& options = {});

}  // namespace hearth::metrics
