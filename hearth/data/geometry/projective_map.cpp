// Matrices of maps that keep lines straight.
#include "hearth/data/geometry/projective_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace hearth {

namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

using EightRows = std::array<std::array<double, 9>, 8>;  // the right side is the last column

// By elimination, the largest pivot first. False when the equations do not have one solution.
bool solve_eight(EightRows& rows) {
  for (size_t column = 0; column < 8; ++column) {
    const auto by_pivot = [&](const auto& left, const auto& right) {
      return std::abs(left[column]) < std::abs(right[column]);
    };
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(column);
    std::iter_swap(begin, std::max_element(begin, rows.end(), by_pivot));
    if (!(std::abs(rows[column][column]) > 1e-9)) return false;
    for (size_t row = 0; row < 8; ++row) {
      if (row == column) continue;
      const double share = rows[row][column] / rows[column][column];
      for (size_t k = column; k < 9; ++k) rows[row][k] -= share * rows[column][k];
    }
  }
  return true;
}

}  // namespace

ProjectiveMap ProjectiveMap::inverted() const {
  const auto& m = matrix;
  const auto minor = [&](size_t a, size_t b, size_t c, size_t d) {
    return m[a] * m[d] - m[b] * m[c];
  };
  const std::array<double, 9> adjugate = {
      minor(4, 5, 7, 8),  -minor(1, 2, 7, 8), minor(1, 2, 4, 5),
      -minor(3, 5, 6, 8), minor(0, 2, 6, 8),  -minor(0, 2, 3, 5),
      minor(3, 4, 6, 7),  -minor(0, 1, 6, 7), minor(0, 1, 3, 4)};
  const double determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6];
  if (!(std::abs(determinant) > 1e-12)) return {};
  ProjectiveMap back;
  for (size_t i = 0; i < 9; ++i) back.matrix[i] = adjugate[i] / determinant;
  return back;
}

ProjectiveMap affine_source(const AffineMotion& motion, const ImagePlace& centre) {
  const double turn = radians(motion.degrees);
  const double shear_x = radians(motion.shear_x);
  const double shear_y = radians(motion.shear_y);
  const double a = std::cos(turn - shear_y) / std::cos(shear_y);
  const double b =
      -std::cos(turn - shear_y) * std::tan(shear_x) / std::cos(shear_y) - std::sin(turn);
  const double c = std::sin(turn - shear_y) / std::cos(shear_y);
  const double d =
      -std::sin(turn - shear_y) * std::tan(shear_x) / std::cos(shear_y) + std::cos(turn);
  const double xx = d / motion.scale, xy = -b / motion.scale;
  const double yx = -c / motion.scale, yy = a / motion.scale;
  const double x = centre.x + motion.right, y = centre.y + motion.down;
  return {{xx, xy, centre.x - xx * x - xy * y, yx, yy, centre.y - yx * x - yy * y, 0, 0, 1}};
}

ProjectiveMap perspective_between(const FourPlaces& from, const FourPlaces& to) {
  EightRows rows{};
  for (size_t i = 0; i < 4; ++i) {
    const auto [x, y] = from[i];
    rows[2 * i] = {x, y, 1, 0, 0, 0, -to[i].x * x, -to[i].x * y, to[i].x};
    rows[2 * i + 1] = {0, 0, 0, x, y, 1, -to[i].y * x, -to[i].y * y, to[i].y};
  }
  ProjectiveMap map;
  if (!solve_eight(rows)) return map;
  for (size_t i = 0; i < 8; ++i) map.matrix[i] = rows[i][8] / rows[i][i];
  return map;
}

}  // namespace hearth
