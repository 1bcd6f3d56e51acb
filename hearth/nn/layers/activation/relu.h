// max(x, 0), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ReluOptions {
  static const Schema<ReluOptions>& schema();
};

[[nodiscard]] Choice<Layer> relu(ReluOptions options = {});

}  // namespace hearth::layers
