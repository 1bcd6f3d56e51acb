// ConvNeXt's residual block: a wide depthwise convolution and a small network for each point.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ConvnextBlockOptions {
  double layer_scale = 1e-6;
  double drop_path = 0;
  static const Schema<ConvnextBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> convnext_block(ConvnextBlockOptions options = {});

}  // namespace hearth::layers
