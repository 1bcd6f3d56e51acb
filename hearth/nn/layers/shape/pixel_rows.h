// The points of images as rows.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PixelRowsOptions {
  static const Schema<PixelRowsOptions>& schema();
};

[[nodiscard]] Choice<Layer> pixel_rows(PixelRowsOptions options = {});

}  // namespace hearth::layers
