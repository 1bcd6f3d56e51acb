// Sees an image's surroundings at several distances at once (atrous spatial pyramid pooling).
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AsppOptions {
  int64_t out_channels = 256;
  std::vector<int64_t> rates = {12, 24, 36};
  double dropout = 0.5;
  static const Schema<AsppOptions>& schema();
};

[[nodiscard]] Choice<Layer> aspp(AsppOptions options = {});

}  // namespace hearth::layers
