// A convolution over images [C, H, W].
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth {

struct Conv2dOptions {
  int64_t out_channels = 0;  // must be given
  int64_t kernel_size = 3;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  bool bias = true;
  std::string init = "fan_in_uniform";
  static const Schema<Conv2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> conv2d(Conv2dOptions options);

}  // namespace hearth
