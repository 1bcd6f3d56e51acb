// Scaled dot-product attention of several heads.
#pragma once

#include <cstdint>

#include "hearth/kernels/kernels.h"

namespace hearth {

struct AttentionSettings {
  int64_t heads = 1;
  bool is_causal = false;  // a place sees itself and what is before it
  double dropout = 0;      // share of the attention weights dropped; 0 outside training
};

// `packed` is [B, T, 3 D]: queries, keys and values of all heads beside each other; gives [B, T,
// D]. `mask`, bool [B, T], is true at places nobody may look at; it may be undefined. A place that
// may look nowhere gives zeros.
[[nodiscard]] at::Tensor attention(Kernels kernels, const at::Tensor& packed,
                                   const AttentionSettings& settings, const at::Tensor& mask);

}  // namespace hearth
