// The outline of a box after it has moved, and the box around what is left of it in an image.
#pragma once

#include "hearth/data/geometry/image_transform.h"

namespace hearth {

struct PlacedBox {
  double left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] double area() const { return (right - left) * (bottom - top); }
  [[nodiscard]] bool has_points() const { return right > left && bottom > top; }
};

struct MovedBox {
  PlacedBox whole;    // around the moved outline
  PlacedBox visible;  // around its part within the result; without points when there is none
};

// `box` is left, top, right, bottom. One with a number that is not finite has no points left.
[[nodiscard]] MovedBox moved_box(const ImageTransform& transform, const float* box);

}  // namespace hearth
