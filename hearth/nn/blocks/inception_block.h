// Convolutions of different windows beside each other.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct InceptionBlockOptions {  // all must be given
  int64_t ch1x1 = 0;
  int64_t ch3x3red = 0;
  int64_t ch3x3 = 0;
  int64_t ch5x5red = 0;
  int64_t ch5x5 = 0;
  int64_t pool_proj = 0;
  static const Schema<InceptionBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> inception_block(InceptionBlockOptions options);

}  // namespace hearth::layers
