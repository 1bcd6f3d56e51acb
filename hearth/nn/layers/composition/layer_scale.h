// A learned factor for each channel, small at first.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LayerScaleOptions {
  double first = 1e-6;
  static const Schema<LayerScaleOptions>& schema();
};

[[nodiscard]] Choice<Layer> layer_scale(LayerScaleOptions options = {});

}  // namespace hearth::layers
