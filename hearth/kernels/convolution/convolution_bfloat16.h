// A convolution with factors rounded to bfloat16 and float32 sums. For internal use by
// convolution.cpp.
#pragma once

#include "hearth/kernels/convolution/convolution_method.h"

namespace hearth {

// Whether `Bfloat16Convolution` is for this geometry, on this machine.
[[nodiscard]] bool has_bfloat16_convolution(const ConvolutionGeometry& geometry);
// In which order it wants its weights: for each place of the window, or each row of it where there
// are few channels, a matrix with a row for each output channel.
[[nodiscard]] WeightOrder bfloat16_order(const ConvolutionGeometry& geometry);

// Works on float32 pictures, channels-last, and keeps for the backward pass a rounded copy only.
[[nodiscard]] at::Tensor bfloat16_convolution(const ConvolutionGeometry& geometry,
                                              const at::Tensor& input, const at::Tensor& weight,
                                              const c10::optional<at::Tensor>& bias,
                                              KeptWeight& kept);

}  // namespace hearth
