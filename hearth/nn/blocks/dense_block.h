// Layers that each see what all before them gave.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DenseBlockOptions {
  int64_t layers = 0;  // must be given
  int64_t growth_rate = 32;
  int64_t bn_size = 4;
  double drop_rate = 0;
  static const Schema<DenseBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> dense_block(DenseBlockOptions options);

}  // namespace hearth::layers
