// Where the points of maps lie in the image they were made from.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GridPointsOptions {
  int64_t first_size = 8;
  static const Schema<GridPointsOptions>& schema();
};

[[nodiscard]] Choice<Layer> grid_points(GridPointsOptions options = {});

}  // namespace hearth::layers
