// Scores for every point of an image, by a convolution of its features.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FcnHeadOptions {
  int64_t out_channels = 0;  // must be given
  double dropout = 0.1;
  static const Schema<FcnHeadOptions>& schema();
};

[[nodiscard]] Choice<Layer> fcn_head(FcnHeadOptions options);

}  // namespace hearth::layers
