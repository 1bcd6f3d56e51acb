// Channels of values on a grid of one, two or three dimensions: what convolutions, pools and norms
// of channels work on.
#pragma once

#include <string>

#include "hearth/nn/layer.h"

namespace hearth {

// "[C, L]", "[C, H, W]", "[C, D, H, W]".
[[nodiscard]] std::string grid_text(size_t dimensions);
// float32 of that shape; GraphError otherwise.
void require_grid(const BuildContext& context, const std::string& layer, const Spec& input,
                  size_t dimensions);
// Channels on a grid of any number of dimensions, at least `least`.
void require_channels(const BuildContext& context, const std::string& layer, const Spec& input,
                      size_t least);
// "conv" and 2 make "conv2d".
[[nodiscard]] std::string name_by_dimensions(const std::string& name, size_t dimensions);

}  // namespace hearth
