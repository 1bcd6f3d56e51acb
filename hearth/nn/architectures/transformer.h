// A transformer with an encoder and a decoder: one text becomes another.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/activation/relu.h"

namespace hearth::layers {

struct TransformerOptions {
  int64_t width = 512;
  int64_t heads = 8;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Choice<Layer> activation = relu();
  double layer_norm_eps = 1e-5;
  bool norm_first = false;
  std::optional<int64_t> source_vocabulary = std::nullopt;  // from the data when left out
  std::optional<int64_t> target_vocabulary = std::nullopt;
  static const Schema<TransformerOptions>& schema();
};

// Inputs: the tokens of both texts, int64 [S] and [T]; then perhaps a mask for each, [S] and [T].
[[nodiscard]] Choice<Layer> transformer(TransformerOptions options = {});

}  // namespace hearth::layers
