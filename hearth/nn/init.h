// First values of parameters: each drawn from its own stream, keyed by the seed and the parameter's
// path, so that adding a layer does not change the others.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "hearth/nn/layer.h"

namespace hearth {

// Uniform in [-bound, bound].
[[nodiscard]] at::Tensor uniform(const BuildContext& context, const std::string& name,
                                 at::IntArrayRef shape, double bound);
// Normally distributed with mean 0.
[[nodiscard]] at::Tensor normal(const BuildContext& context, const std::string& name,
                                at::IntArrayRef shape, double deviation);
// PyTorch's default for linear and convolution weights and biases: bound 1/sqrt(fan_in).
[[nodiscard]] at::Tensor fan_in_uniform(const BuildContext& context, const std::string& name,
                                        at::IntArrayRef shape, int64_t fan_in);

// The same value everywhere.
[[nodiscard]] at::Tensor filled(const BuildContext& context, const std::string& name,
                                at::IntArrayRef shape, double value);

// For tensors that a layer makes by itself, of `bytes_each` bytes a value: asked before the memory
// is, a size that no machine has is the config's fault.
void take_room(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
               uint64_t bytes_each = sizeof(float));

// The stream of random numbers that a parameter's first values come from.
[[nodiscard]] at::Generator init_generator(const BuildContext& context, const std::string& name);

[[nodiscard]] std::string shape_text(at::IntArrayRef shape);  // "[3, 4]"

}  // namespace hearth
