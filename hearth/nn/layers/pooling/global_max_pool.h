// The largest value of every channel of an image: [C, H, W] becomes [C].
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GlobalMaxPoolOptions {
  static const Schema<GlobalMaxPoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> global_max_pool(GlobalMaxPoolOptions options = {});

}  // namespace hearth::layers
