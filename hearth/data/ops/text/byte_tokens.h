// Text as the numbers of its bytes.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ByteTokensOptions {
  std::string in = "text";
  std::string out = "tokens";
  int64_t first = 1;
  static const Schema<ByteTokensOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> byte_tokens(ByteTokensOptions options = {});

}  // namespace hearth::sample_ops
