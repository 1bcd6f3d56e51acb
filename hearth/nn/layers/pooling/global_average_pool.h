// The mean of every channel of an image: [C, H, W] becomes [C].
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GlobalAveragePoolOptions {
  static const Schema<GlobalAveragePoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> global_average_pool(GlobalAveragePoolOptions options = {});

}  // namespace hearth::layers
