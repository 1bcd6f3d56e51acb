// Attention of a sequence [T, D] to itself or to another one, in all its forms.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AttentionOptions {
  int64_t heads = 0;  // must be given
  std::optional<int64_t> key_value_heads = std::nullopt;
  bool cross = false;
  bool causal = false;
  std::optional<int64_t> window = std::nullopt;
  bool rotary = false;
  double rotary_base = 10000;
  bool alibi = false;
  double dropout = 0;
  bool bias = true;
  static const Schema<AttentionOptions>& schema();
};

// Inputs: the sequence; with `cross`, the one it looks at, [S, E]; then, in any order, a mask [S]
// and scores to add, [T, S].
[[nodiscard]] Choice<Layer> attention(AttentionOptions options);

}  // namespace hearth::layers
