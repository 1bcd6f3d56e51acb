// x moved towards zero, and zero where it is near.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SoftshrinkOptions {
  double lambda = 0.5;
  static const Schema<SoftshrinkOptions>& schema();
};

[[nodiscard]] Choice<Layer> softshrink(SoftshrinkOptions options = {});

}  // namespace hearth::layers
