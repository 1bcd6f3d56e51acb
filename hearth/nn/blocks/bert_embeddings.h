// What BERT makes of tokens: a row for the token, one for its place and one for its segment.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct BertEmbeddingsOptions {
  int64_t size = 0;                               // must be given
  std::optional<int64_t> entries = std::nullopt;  // from the data when left out
  std::optional<int64_t> length = std::nullopt;   // the input's when left out
  int64_t token_types = 2;
  double dropout = 0.1;
  double eps = 1e-12;
  static const Schema<BertEmbeddingsOptions>& schema();
};

// Inputs: tokens, int64 [T]; then perhaps the number of the segment that each is in, int64 [T].
[[nodiscard]] Choice<Layer> bert_embeddings(BertEmbeddingsOptions options);

}  // namespace hearth::layers
