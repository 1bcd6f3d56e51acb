// The largest value of every window of an image.
#include "hearth/kernels/max_pool.h"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>

namespace hearth {

at::Tensor max_pool(Kernels, const at::Tensor& input, const PoolShape& shape, bool relu) {
  const at::Tensor output = at::max_pool2d(input, shape.kernel, shape.stride, shape.padding);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
