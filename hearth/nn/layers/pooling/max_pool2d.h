// The largest value of each window of an image [C, H, W].
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MaxPool2dOptions {
  int64_t kernel_size = 2;
  std::optional<int64_t> stride = std::nullopt;  // kernel_size when left out
  int64_t padding = 0;
  static const Schema<MaxPool2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> max_pool2d(MaxPool2dOptions options = {});

}  // namespace hearth::layers
