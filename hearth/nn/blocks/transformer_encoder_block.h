// A layer of a transformer's encoder: attention to itself and a small network. PyTorch's
// TransformerEncoderLayer.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/activation/relu.h"

namespace hearth::layers {

struct TransformerEncoderBlockOptions {
  int64_t heads = 0;  // must be given
  int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Choice<Layer> activation = relu();
  double layer_norm_eps = 1e-5;
  bool norm_first = false;
  bool causal = false;
  static const Schema<TransformerEncoderBlockOptions>& schema();
};

// Inputs: the sequence [T, D]; then perhaps a mask [T].
[[nodiscard]] Choice<Layer> transformer_encoder_block(TransformerEncoderBlockOptions options);

}  // namespace hearth::layers
