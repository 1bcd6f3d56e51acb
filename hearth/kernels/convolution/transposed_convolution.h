// A two-dimensional transposed convolution: the way back through a convolution, as its gradient by
// the input takes it.
#pragma once

#include <memory>

#include "hearth/kernels/convolution/convolution.h"

namespace hearth {

// One of a model: keeps what can be kept between steps, as a Convolution does.
class TransposedConvolution {
 public:
  // Of the convolution whose way back it is; `further` points at the end of each side that the
  // convolution's window would not reach.
  TransposedConvolution(ConvolutionShape shape, Sides<2> further);
  ~TransposedConvolution();
  TransposedConvolution(const TransposedConvolution&) = delete;
  TransposedConvolution& operator=(const TransposedConvolution&) = delete;

  // [B, C, H, W] and [C, O / groups, h, w] to [B, O, H', W'], in channels-last order when the fast
  // kernel ran; `bias` may be undefined.
  [[nodiscard]] at::Tensor run(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                               const at::Tensor& bias);

 private:
  ConvolutionShape shape_;
  Sides<2> further_;
  std::unique_ptr<MethodCache> methods_;
};

}  // namespace hearth
