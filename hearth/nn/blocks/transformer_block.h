// A transformer's block: attention and a small network, each after a norm and added to its input.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct TransformerBlockOptions {
  int64_t heads = 0;  // must be given
  bool causal = true;
  double dropout = 0;
  int64_t hidden_factor = 4;
  static const Schema<TransformerBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> transformer_block(TransformerBlockOptions options);

}  // namespace hearth::layers
