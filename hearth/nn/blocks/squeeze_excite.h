// Weighs the channels of an image by what it shows as a whole.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/activation/sigmoid.h"

namespace hearth::layers {

struct SqueezeExciteOptions {
  int64_t squeeze_channels = 0;  // must be given
  Choice<Layer> activation = relu();
  Choice<Layer> scale_activation = sigmoid();
  static const Schema<SqueezeExciteOptions>& schema();
};

[[nodiscard]] Choice<Layer> squeeze_excite(SqueezeExciteOptions options);

}  // namespace hearth::layers
