// Options of ops that take values from between an image's points.
#pragma once

#include <utility>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/resize_transform.h"
#include "hearth/data/geometry/warp_rows.h"
#include "hearth/data/image/drawn_range.h"

namespace hearth {

// For checks of options: one number stands for as much either way.
[[nodiscard]] inline bool is_range_around_zero(const std::vector<double>& numbers) {
  if (numbers.size() == 1) return numbers[0] >= 0;
  return numbers.size() == 2 && numbers[0] <= numbers[1];
}

template <class O>
[[nodiscard]] WarpStyle warp_style(const O& options) {
  return {options.interpolation == "bilinear", outside_fill(options)};
}

template <class O>
void add_warp_fields(Schema<O>& schema) {
  schema.field(&O::interpolation, "interpolation",
               "`bilinear` between the four nearest points, bytes within 1 of torchvision's; or "
               "`nearest`. Masks always take the nearest.",
               one_of({"nearest", "bilinear"}));
  add_fill_fields(schema);
  add_box_fields(schema);
}

}  // namespace hearth
