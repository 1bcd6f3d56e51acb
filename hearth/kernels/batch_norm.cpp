// Batch normalization over images, with what often follows it: an addition and a relu.
#include "hearth/kernels/batch_norm.h"

#include <ATen/ops/batch_norm.h>
#include <ATen/ops/relu.h>

namespace hearth {

at::Tensor batch_norm(Kernels, const at::Tensor& input, const BatchNormTensors& tensors,
                      const BatchNormSettings& settings, const at::Tensor& addend, bool relu) {
  at::Tensor output =
      at::batch_norm(input, tensors.weight, tensors.bias, tensors.running_mean, tensors.running_var,
                     settings.is_training, settings.momentum, settings.eps,
                     /*cudnn_enabled=*/true);
  if (addend.defined()) output = output.add(addend);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
