// Layer normalization over the channels of every point of an image, as in ConvNeXt.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ChannelNormOptions {
  double eps = 1e-5;
  bool bias = true;
  static const Schema<ChannelNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> channel_norm(ChannelNormOptions options = {});

}  // namespace hearth::layers
