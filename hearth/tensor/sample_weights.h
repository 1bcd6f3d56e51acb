// Weights and masks of samples or of places, as losses and metrics take them.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "hearth/core/spec.h"

namespace hearth {

// Whether numbers of this shape can be spread over values of that, both of one sample: they are its
// first dimensions, or all but its first, the channels of images.
[[nodiscard]] bool is_spread_over(std::span<const int64_t> weights,
                                  std::span<const int64_t> values);
// Booleans or weights of some first dimensions of `values`, or of all but its second (the channels
// of images), so that both can be multiplied.
[[nodiscard]] at::Tensor spread_over(const at::Tensor& weights, const at::Tensor& values);

// GraphError unless a key can be spread over values of this shape. `option` is what names it,
// `each` what it weighs: "loss".
void check_weight(const KeySpec& weight, const char* option, std::span<const int64_t> shape,
                  const char* each);
// The same for the option `mask`, whose key says yes or no.
void check_mask(const KeySpec& mask, std::span<const int64_t> shape, const char* each);

}  // namespace hearth
