// Attention in one pass over packed queries, keys and values. For internal use by attention.cpp.
#pragma once

#include "hearth/kernels/attention/attention.h"

namespace hearth {

// `packed` is contiguous float32; `mask` is bool or undefined.
[[nodiscard]] at::Tensor fast_attention(const at::Tensor& packed, const AttentionSettings& settings,
                                        const at::Tensor& mask);

}  // namespace hearth
