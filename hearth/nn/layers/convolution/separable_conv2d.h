// A convolution of each channel alone, then one of the channels of each point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/sides.h"

namespace hearth::layers {

struct SeparableConv2dOptions {
  std::optional<int64_t> out_channels = std::nullopt;  // the data's number of classes when left out
  Sides<2> kernel_size = 3;
  Sides<2> stride = 1;
  Padding<2> padding = 0;
  Sides<2> dilation = 1;
  int64_t depth_multiplier = 1;
  bool bias = true;
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<SeparableConv2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> separable_conv2d(SeparableConv2dOptions options);

}  // namespace hearth::layers
