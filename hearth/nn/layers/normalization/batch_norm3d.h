// Batch normalization of every channel of a volume [C, D, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/batch_norm_options.h"

namespace hearth::layers {

using BatchNorm3dOptions = BatchNormOptions;

[[nodiscard]] Choice<Layer> batch_norm3d(BatchNorm3dOptions options = {});

}  // namespace hearth::layers
