// The sum of several values of one shape.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AddOptions {
  static const Schema<AddOptions>& schema();
};

[[nodiscard]] Choice<Layer> add(AddOptions options = {});

}  // namespace hearth::layers
