// A smaller image without aliasing: blurred, then every so many points taken.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct BlurPoolOptions {
  int64_t kernel_size = 3;
  int64_t stride = 2;
  static const Schema<BlurPoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> blur_pool(BlurPoolOptions options = {});

}  // namespace hearth::layers
