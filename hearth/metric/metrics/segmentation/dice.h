// Dice coefficient of the areas of each class, for segmentation.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> dice(const AveragedClassOptions& options = {});

}  // namespace hearth::metrics
