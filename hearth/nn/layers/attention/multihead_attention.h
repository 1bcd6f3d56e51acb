// Attention with several heads, of a sequence [T, D] to itself or to another one; parameters are
// those of PyTorch's MultiheadAttention.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MultiheadAttentionOptions {
  int64_t heads = 0;  // must be given
  double dropout = 0;
  bool bias = true;
  bool causal = false;
  static const Schema<MultiheadAttentionOptions>& schema();
};

// Inputs: the sequence; then perhaps the one it looks at, [S, D]; then perhaps a mask [S] for what
// is looked at.
[[nodiscard]] Choice<Layer> multihead_attention(MultiheadAttentionOptions options);

}  // namespace hearth::layers
