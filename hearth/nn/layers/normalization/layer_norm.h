// Layer normalization over the last dimension.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LayerNormOptions {
  double eps = 1e-5;
  bool bias = true;
  static const Schema<LayerNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> layer_norm(LayerNormOptions options = {});

}  // namespace hearth::layers
