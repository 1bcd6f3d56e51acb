// A two-dimensional convolution.
#include "hearth/kernels/convolution.h"

#include <ATen/ops/conv2d.h>
#include <ATen/ops/relu.h>

namespace hearth {

class Convolution::Plans {};

Convolution::Convolution(ConvolutionShape shape) : shape_(shape) {}
Convolution::~Convolution() = default;

at::Tensor Convolution::run(Kernels, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, bool relu) {
  const at::Tensor output = at::conv2d(input, weight, bias, shape_.stride, shape_.padding,
                                       shape_.dilation, shape_.groups);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
