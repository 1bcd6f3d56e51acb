// Of the samples that are of a class or taken for it, the share that is both.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> jaccard(const AveragedClassOptions& options = {});

}  // namespace hearth::metrics
