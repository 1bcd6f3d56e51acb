// A layer of a transformer's decoder: attention to itself, to another sequence, and a small
// network. PyTorch's TransformerDecoderLayer.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/activation/relu.h"

namespace hearth::layers {

struct TransformerDecoderBlockOptions {
  int64_t heads = 0;  // must be given
  int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Choice<Layer> activation = relu();
  double layer_norm_eps = 1e-5;
  bool norm_first = false;
  bool causal = true;
  static const Schema<TransformerDecoderBlockOptions>& schema();
};

// Inputs: the sequence [T, D] and the one it looks at, [S, D]; then perhaps a mask [S] for that
// one, and one [T] for the sequence itself.
[[nodiscard]] Choice<Layer> transformer_decoder_block(TransformerDecoderBlockOptions options);

}  // namespace hearth::layers
