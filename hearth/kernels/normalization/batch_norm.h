// Batch normalization over images, with what often follows it: an addition and a relu.
#pragma once

#include "hearth/kernels/activation/activation.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/normalization/shared_sum.h"

namespace hearth {

struct BatchNormTensors {
  at::Tensor weight;
  at::Tensor bias;
  at::Tensor running_mean;
  at::Tensor running_var;
};

struct BatchNormSettings {
  bool is_training = true;  // statistics of the batch, which also move the running ones
  double momentum = 0.1;
  double eps = 1e-5;
  // While training: statistics of the batch that all shards make up; null: of the input alone.
  SharedSum* shared = nullptr;
};

// relu(normalized(input) + addend); `addend` may be undefined, and `relu` false. Without both, an
// activation may follow.
[[nodiscard]] at::Tensor batch_norm(Kernels kernels, const at::Tensor& input,
                                    const BatchNormTensors& tensors,
                                    const BatchNormSettings& settings, const at::Tensor& addend,
                                    bool relu, Activation activation = Activation::kNone);

}  // namespace hearth
