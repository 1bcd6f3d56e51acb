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

// Attention to another sequence: `queries` is [B, T, D], `pairs` [B, S, 2 D], keys and values
// beside each other; gives [B, T, D]. `mask`, bool [B, S], hides places of the other sequence.
[[nodiscard]] at::Tensor cross_attention(Kernels kernels, const at::Tensor& queries,
                                         const at::Tensor& pairs, const AttentionSettings& settings,
                                         const at::Tensor& mask);

struct AttentionInput {
  at::Tensor queries;       // [B, T, D]
  at::Tensor keys;          // [B, S, D]
  at::Tensor values;        // [B, S, D]
  at::Tensor mask = {};     // bool [B, S]: places nobody may look at
  at::Tensor hidden = {};   // bool [T, S]: which place may not look at which
  at::Tensor penalty = {};  // added to the scores: of a shape that fits [B, heads, T, S]
};

// The same of separate queries, keys and values. With `hidden` or `penalty`, LibTorch's operators
// compute it.
[[nodiscard]] at::Tensor attention(Kernels kernels, const AttentionInput& input,
                                   const AttentionSettings& settings);

}  // namespace hearth
