// Options of convolutions over any number of dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/sides.h"

namespace hearth {

template <size_t Dimensions>
struct ConvolutionOptions {
  std::optional<int64_t> out_channels = std::nullopt;  // the data's number of classes when left out
  Sides<Dimensions> kernel_size = 3;
  Sides<Dimensions> stride = 1;
  Padding<Dimensions> padding = 0;
  Sides<Dimensions> dilation = 1;
  int64_t groups = 1;
  bool bias = true;
  std::string init = "fan_in_uniform";
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<ConvolutionOptions>& schema();
};

template <size_t Dimensions>
struct ConvolutionTransposeOptions {
  std::optional<int64_t> out_channels = std::nullopt;  // the data's number of classes when left out
  Sides<Dimensions> kernel_size = 3;
  Sides<Dimensions> stride = 1;
  Sides<Dimensions> padding = 0;
  Sides<Dimensions> output_padding = 0;
  Sides<Dimensions> dilation = 1;
  int64_t groups = 1;
  bool bias = true;
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<ConvolutionTransposeOptions>& schema();
};

}  // namespace hearth
