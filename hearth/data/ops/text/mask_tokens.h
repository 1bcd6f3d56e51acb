// Some tokens hidden, to be predicted from the others.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct MaskTokensOptions {
  std::string key = "tokens";
  std::string targets = "targets";
  double share = 0.15;
  int64_t mask = 1;
  int64_t first = 2;
  double masked_share = 0.8;
  double random_share = 0.1;
  bool whole_words = false;
  int64_t ignored = -100;
  static const Schema<MaskTokensOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> mask_tokens(MaskTokensOptions options = {});

}  // namespace hearth::sample_ops
