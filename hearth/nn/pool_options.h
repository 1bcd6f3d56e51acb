// Options of pools over any number of dimensions.
#pragma once

#include <optional>

#include "hearth/config/choice.h"
#include "hearth/config/sides.h"

namespace hearth {

template <size_t Dimensions>
struct MaxPoolOptions {
  Sides<Dimensions> kernel_size = 2;
  std::optional<Sides<Dimensions>> stride = std::nullopt;  // kernel_size when left out
  Sides<Dimensions> padding = 0;
  Sides<Dimensions> dilation = 1;
  bool ceil_mode = false;
  static const Schema<MaxPoolOptions>& schema();
};

template <size_t Dimensions>
struct AveragePoolOptions {
  Sides<Dimensions> kernel_size = 2;
  std::optional<Sides<Dimensions>> stride = std::nullopt;  // kernel_size when left out
  Sides<Dimensions> padding = 0;
  bool ceil_mode = false;
  bool count_include_pad = true;
  static const Schema<AveragePoolOptions>& schema();
};

template <size_t Dimensions>
struct AdaptivePoolOptions {
  Sides<Dimensions> size = 1;
  static const Schema<AdaptivePoolOptions>& schema();
};

}  // namespace hearth
