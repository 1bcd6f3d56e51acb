// Where the windows of a pool lie.
#pragma once

#include <cstdint>

#include "hearth/base/sides.h"

namespace hearth {

template <size_t Dimensions>
struct PoolShape {
  Sides<Dimensions> kernel = 2;
  Sides<Dimensions> stride = 2;
  Sides<Dimensions> padding = 0;
  Sides<Dimensions> dilation = 1;
  bool ceil_mode = false;  // a last window may begin inside and end beyond the border

  // From its first point to its last.
  [[nodiscard]] int64_t window(size_t side) const {
    return dilation[side] * (kernel[side] - 1) + 1;
  }
  // How many windows fit along `size` points, as PyTorch counts them.
  [[nodiscard]] int64_t places(size_t side, int64_t size) const {
    const int64_t step = stride[side];
    const int64_t room = size + 2 * padding[side] - window(side) + (ceil_mode ? step - 1 : 0);
    if (room < 0) return 0;
    const int64_t places = room / step + 1;
    return ceil_mode && (places - 1) * step >= size + padding[side] ? places - 1 : places;
  }
};

}  // namespace hearth
