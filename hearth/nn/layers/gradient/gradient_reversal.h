// What comes in, as it is; what flows back, with the other sign.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GradientReversalOptions {
  double scale = 1;
  static const Schema<GradientReversalOptions>& schema();
};

[[nodiscard]] Choice<Layer> gradient_reversal(GradientReversalOptions options = {});

}  // namespace hearth::layers
