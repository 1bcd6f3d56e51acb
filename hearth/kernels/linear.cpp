// A linear layer: input times transposed weight, plus bias.
#include "hearth/kernels/linear.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>

namespace hearth {

at::Tensor linear_product(Kernels, const at::Tensor& input, const at::Tensor& weight,
                          const at::Tensor& bias, bool relu) {
  const at::Tensor output = at::linear(input, weight, bias);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
