// An LSTM that scores a tag for every token.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LstmTaggerOptions {
  int64_t embedding_size = 100;
  int64_t hidden_size = 100;
  int64_t num_layers = 1;
  bool bidirectional = true;
  double dropout = 0.5;
  std::optional<int64_t> vocabulary = std::nullopt;  // from the data when left out
  std::optional<int64_t> classes = std::nullopt;     // from the data when left out
  static const Schema<LstmTaggerOptions>& schema();
};

// Inputs: tokens, int64 [T]; then perhaps a mask [T] or a length.
[[nodiscard]] Choice<Layer> lstm_tagger(LstmTaggerOptions options = {});

}  // namespace hearth::layers
