// A factor that is learned.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct OpenScaleOptions {
  double scale = 1;
  static const Schema<OpenScaleOptions>& schema();
};

[[nodiscard]] Choice<Layer> open_scale(OpenScaleOptions options = {});

}  // namespace hearth::layers
