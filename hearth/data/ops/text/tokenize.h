// Text as tokens of any kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/tokenizers/bytes.h"

namespace hearth::sample_ops {

struct TokenizeOptions {
  std::string in = "text";
  std::string out = "tokens";
  Choice<Tokenizer> tokens = tokenizers::bytes();
  int64_t first = 1;
  std::optional<int64_t> begin = {};
  std::optional<int64_t> end = {};
  static const Schema<TokenizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> tokenize(const TokenizeOptions& options = {});

}  // namespace hearth::sample_ops
