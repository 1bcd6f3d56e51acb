// Maps of the plane that keep lines straight: rotations, affine maps, perspectives.
#pragma once

#include <array>

#include "hearth/data/geometry/image_transform.h"

namespace hearth {

struct ProjectiveMap {
  // Rows of a 3 x 3 matrix that takes (x, y, 1) to (x', y', 1) times some number.
  std::array<double, 9> matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  [[nodiscard]] ImagePlace operator()(const ImagePlace& place) const {
    const auto& m = matrix;
    const double depth = m[6] * place.x + m[7] * place.y + m[8];
    return {(m[0] * place.x + m[1] * place.y + m[2]) / depth,
            (m[3] * place.x + m[4] * place.y + m[5]) / depth};
  }
  [[nodiscard]] bool is_affine() const {
    return matrix[6] == 0 && matrix[7] == 0 && matrix[8] == 1;
  }
  // The way back; the identity for a map that has none.
  [[nodiscard]] ProjectiveMap inverted() const;
};

// What torchvision's affine takes: turned clockwise in degrees, then moved in points.
struct AffineMotion {
  double degrees = 0;
  double right = 0;
  double down = 0;
  double scale = 1;
  double shear_x = 0;  // degrees
  double shear_y = 0;
};
// From a place of the result to its place in the image, both around `centre`.
[[nodiscard]] ProjectiveMap affine_source(const AffineMotion& motion, const ImagePlace& centre);

using FourPlaces = std::array<ImagePlace, 4>;
// The map that takes each of `from` to its place in `to`; the identity when there is none.
[[nodiscard]] ProjectiveMap perspective_between(const FourPlaces& from, const FourPlaces& to);

}  // namespace hearth
