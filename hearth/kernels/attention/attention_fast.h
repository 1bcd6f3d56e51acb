// Attention in one pass over queries, keys and values. For internal use by attention.cpp.
#pragma once

#include <array>

#include "hearth/kernels/attention/attention.h"

namespace hearth {

// Queries, keys and values beside each other in one tensor; queries, and keys beside values; or
// each for itself. The tensors that are not needed are undefined.
using AttentionTensors = std::array<at::Tensor, 3>;

// All are float32 [B, places, values]; `mask` is bool or undefined.
[[nodiscard]] at::Tensor fast_attention(Precision precision, const AttentionTensors& tensors,
                                        const AttentionSettings& settings, const at::Tensor& mask);

}  // namespace hearth
