// A feature pyramid: maps of several sizes that know of each other.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FpnOptions {
  int64_t out_channels = 256;
  int64_t extra_levels = 0;
  static const Schema<FpnOptions>& schema();
};

[[nodiscard]] Choice<Layer> fpn(FpnOptions options = {});

}  // namespace hearth::layers
