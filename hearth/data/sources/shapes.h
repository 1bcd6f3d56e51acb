// Drawn shapes: images with several targets, for examples and tests.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ShapesOptions {
  int64_t size = 512;
  int64_t side = 32;
  double noise = 0.1;
  int64_t seed = 0;
  static const Schema<ShapesOptions>& schema();
};

[[nodiscard]] Choice<Source> shapes(ShapesOptions options = {});

}  // namespace hearth::sources
