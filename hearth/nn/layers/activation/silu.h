// x / (1 + exp(-x)), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SiluOptions {
  static const Schema<SiluOptions>& schema();
};

[[nodiscard]] Choice<Layer> silu(SiluOptions options = {});

}  // namespace hearth::layers
