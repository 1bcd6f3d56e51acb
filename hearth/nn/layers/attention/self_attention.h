// Attention of a sequence [T, D] to itself, with several heads.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SelfAttentionOptions {
  int64_t heads = 0;  // must be given
  bool causal = true;
  double dropout = 0;
  bool bias = true;
  static const Schema<SelfAttentionOptions>& schema();
};

[[nodiscard]] Choice<Layer> self_attention(SelfAttentionOptions options);

}  // namespace hearth::layers
