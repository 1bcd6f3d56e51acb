// Tensors whose values lie one behind the other, in whichever order.
#include "hearth/kernels/dense_tensor.h"

#include <ATen/ops/empty_strided.h>

namespace hearth {

at::Tensor dense(const at::Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
}

at::Tensor dense_like(const at::Tensor& tensor, at::IntArrayRef strides) {
  if (tensor.strides() == strides && tensor.is_non_overlapping_and_dense()) return tensor;
  return at::empty_strided(tensor.sizes(), strides, tensor.options()).copy_(tensor);
}

}  // namespace hearth
