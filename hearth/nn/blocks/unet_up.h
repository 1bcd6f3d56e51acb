// A stage of a U-Net on its way up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct UnetUpOptions {
  int64_t out_channels = 0;                               // must be given
  std::optional<int64_t> middle_channels = std::nullopt;  // out_channels when left out
  std::string up = "transposed";
  static const Schema<UnetUpOptions>& schema();
};

[[nodiscard]] Choice<Layer> unet_up(UnetUpOptions options);

}  // namespace hearth::layers
