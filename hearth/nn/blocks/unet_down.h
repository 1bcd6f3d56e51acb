// A stage of a U-Net on its way down.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct UnetDownOptions {
  int64_t out_channels = 0;  // must be given
  static const Schema<UnetDownOptions>& schema();
};

[[nodiscard]] Choice<Layer> unet_down(UnetDownOptions options);

}  // namespace hearth::layers
