// The hyperbolic tangent, value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct TanhOptions {
  static const Schema<TanhOptions>& schema();
};

[[nodiscard]] Choice<Layer> tanh(TanhOptions options = {});

}  // namespace hearth::layers
