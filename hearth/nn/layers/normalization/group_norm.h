// Normalization of groups of channels, each sample by itself.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GroupNormOptions {
  int64_t groups = 32;
  double eps = 1e-5;
  bool affine = true;
  static const Schema<GroupNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> group_norm(GroupNormOptions options = {});

}  // namespace hearth::layers
