// All values of a sample in one row.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FlattenOptions {
  static const Schema<FlattenOptions>& schema();
};

[[nodiscard]] Choice<Layer> flatten(FlattenOptions options = {});

}  // namespace hearth::layers
