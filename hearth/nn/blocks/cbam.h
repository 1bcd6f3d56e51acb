// Weighs the channels of an image, then its points (the convolutional block attention module).
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct CbamOptions {
  int64_t reduction = 16;
  int64_t kernel_size = 7;
  static const Schema<CbamOptions>& schema();
};

[[nodiscard]] Choice<Layer> cbam(CbamOptions options = {});

}  // namespace hearth::layers
