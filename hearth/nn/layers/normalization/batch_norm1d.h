// Batch normalization of every channel of features [F] or a line [C, L].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/batch_norm_options.h"

namespace hearth::layers {

using BatchNorm1dOptions = BatchNormOptions;

[[nodiscard]] Choice<Layer> batch_norm1d(BatchNorm1dOptions options = {});

}  // namespace hearth::layers
