// The generalized mean of every channel of an image, between mean and maximum.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GemPoolOptions {
  double p = 3;
  double eps = 1e-6;
  bool learn = true;
  static const Schema<GemPoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> gem_pool(GemPoolOptions options = {});

}  // namespace hearth::layers
