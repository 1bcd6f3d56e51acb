// How much the score of the right class lacks to lead the others by one.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> hinge(const ClassMarginOptions& options = {});

}  // namespace hearth::metrics
