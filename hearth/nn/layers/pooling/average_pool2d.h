// The mean of each window of an image [C, H, W].
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AveragePool2dOptions {
  int64_t kernel_size = 2;
  std::optional<int64_t> stride = std::nullopt;  // kernel_size when left out
  int64_t padding = 0;
  static const Schema<AveragePool2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> average_pool2d(AveragePool2dOptions options = {});

}  // namespace hearth::layers
