// One value cut into several: the counterpart of concat.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SplitOptions {
  int64_t parts = 2;
  static const Schema<SplitOptions>& schema();
};

[[nodiscard]] Choice<Layer> split(SplitOptions options = {});

}  // namespace hearth::layers
