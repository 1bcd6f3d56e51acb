// Batch normalization of every channel of an image [C, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/batch_norm_options.h"

namespace hearth::layers {

using BatchNorm2dOptions = BatchNormOptions;

[[nodiscard]] Choice<Layer> batch_norm2d(BatchNorm2dOptions options = {});

}  // namespace hearth::layers
