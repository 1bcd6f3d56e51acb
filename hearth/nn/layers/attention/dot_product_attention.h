// Scaled dot-product attention of given queries to given keys and values.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DotProductAttentionOptions {
  int64_t heads = 0;  // must be given
  std::optional<int64_t> key_value_heads = std::nullopt;
  bool causal = false;
  std::optional<int64_t> window = std::nullopt;
  bool rotary = false;
  double rotary_base = 10000;
  bool alibi = false;
  double dropout = 0;
  static const Schema<DotProductAttentionOptions>& schema();
};

// Inputs: queries [T, D], keys and values [S, D]; then, in any order, a mask [S] and scores to add,
// [T, S].
[[nodiscard]] Choice<Layer> dot_product_attention(DotProductAttentionOptions options);

}  // namespace hearth::layers
