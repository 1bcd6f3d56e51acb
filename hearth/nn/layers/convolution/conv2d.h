// A convolution over images [C, H, W].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct Conv2dOptions {
  std::optional<int64_t> out_channels = std::nullopt;  // the data's number of classes when left out
  int64_t kernel_size = 3;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  bool bias = true;
  std::string init = "fan_in_uniform";
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<Conv2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> conv2d(Conv2dOptions options);

}  // namespace hearth::layers
