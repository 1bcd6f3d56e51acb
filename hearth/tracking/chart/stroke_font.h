// Letters as strokes, so that they can be drawn at any size.
#pragma once

#include <string>
#include <vector>

#include "hearth/tracking/chart/canvas.h"

namespace hearth {

// The strokes of a line of text that begins at (0, 0) of its baseline and is `size` high; a letter
// that is not of ASCII is a box.
[[nodiscard]] std::vector<std::vector<Spot>> text_strokes(const std::string& text, double size);
[[nodiscard]] double stroke_text_width(const std::string& text, double size);

}  // namespace hearth
