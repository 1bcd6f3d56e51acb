// The mean over a sequence, of the places that a mask says are there.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MeanPoolOptions {
  static const Schema<MeanPoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> mean_pool(MeanPoolOptions options = {});

}  // namespace hearth::layers
