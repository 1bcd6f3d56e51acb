// A part of an image or a sequence.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct CropOptions {
  std::vector<int64_t> margins = {};  // left, right, top, bottom
  std::vector<int64_t> size = {};     // height and width, or one number for both
  static const Schema<CropOptions>& schema();
};

[[nodiscard]] Choice<Layer> crop(CropOptions options = {});

}  // namespace hearth::layers
