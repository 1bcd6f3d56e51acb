// Batch normalization of every channel of an image [C, H, W].
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct BatchNorm2dOptions {
  double momentum = 0.1;
  double eps = 1e-5;
  static const Schema<BatchNorm2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> batch_norm2d(BatchNorm2dOptions options = {});

}  // namespace hearth::layers
