// The last dimension divided by its root mean square.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct RmsNormOptions {
  double eps = 1e-6;
  static const Schema<RmsNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> rms_norm(RmsNormOptions options = {});

}  // namespace hearth::layers
