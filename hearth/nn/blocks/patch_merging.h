// Four neighbours of an image become one point with twice the channels.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PatchMergingOptions {
  bool norm_last = false;
  static const Schema<PatchMergingOptions>& schema();
};

[[nodiscard]] Choice<Layer> patch_merging(PatchMergingOptions options = {});

}  // namespace hearth::layers
