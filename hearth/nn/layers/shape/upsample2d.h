// Larger images: points repeated, or drawn between.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct Upsample2dOptions {
  int64_t factor = 2;
  std::string mode = "nearest";
  static const Schema<Upsample2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> upsample2d(Upsample2dOptions options = {});

}  // namespace hearth::layers
