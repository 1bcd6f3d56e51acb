// Images of another size: points repeated, or drawn between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct Upsample2dOptions {
  int64_t factor = 2;
  std::string mode = "nearest";
  std::vector<int64_t> size = {};  // height and width, or one number for both
  bool align_corners = false;
  static const Schema<Upsample2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> upsample2d(Upsample2dOptions options = {});

}  // namespace hearth::layers
