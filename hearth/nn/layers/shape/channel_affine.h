// Every channel of an image times a fixed number, plus another.
#pragma once

#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ChannelAffineOptions {
  std::vector<double> scale = {};  // must be given
  std::vector<double> shift = {};  // must be given
  static const Schema<ChannelAffineOptions>& schema();
};

[[nodiscard]] Choice<Layer> channel_affine(ChannelAffineOptions options);

}  // namespace hearth::layers
