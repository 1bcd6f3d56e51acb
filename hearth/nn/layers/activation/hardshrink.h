// x where it is far from zero, zero elsewhere.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct HardshrinkOptions {
  double lambda = 0.5;
  static const Schema<HardshrinkOptions>& schema();
};

[[nodiscard]] Choice<Layer> hardshrink(HardshrinkOptions options = {});

}  // namespace hearth::layers
