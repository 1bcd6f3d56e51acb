// An image brought to another one's sides.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ResizeLikeOptions {
  std::string mode = "bilinear";
  static const Schema<ResizeLikeOptions>& schema();
};

// Inputs: the image, and the one whose sides it takes.
[[nodiscard]] Choice<Layer> resize_like(ResizeLikeOptions options = {});

}  // namespace hearth::layers
