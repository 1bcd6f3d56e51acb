// BERT: a transformer that reads a whole text at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct BertOptions {
  int64_t layers = 12;
  int64_t width = 768;
  int64_t heads = 12;
  int64_t hidden = 3072;
  std::optional<int64_t> length = std::nullopt;      // the input's when left out
  std::optional<int64_t> vocabulary = std::nullopt;  // from the data when left out
  int64_t token_types = 2;
  double dropout = 0.1;
  std::vector<std::string> output = {"sequence"};
  static const Schema<BertOptions>& schema();
};

// Inputs: tokens, int64 [T]; then perhaps a mask [T], and the segment of each token, int64 [T].
[[nodiscard]] Choice<Layer> bert(BertOptions options = {});

}  // namespace hearth::layers
