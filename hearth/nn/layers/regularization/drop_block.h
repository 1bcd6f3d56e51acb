// Makes squares of an image zero at random while training.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DropBlockOptions {
  double p = 0.1;
  int64_t block_size = 7;
  static const Schema<DropBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> drop_block(DropBlockOptions options = {});

}  // namespace hearth::layers
