// Values of any size filled up to the longest of their batch.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct PadLongestOptions {
  std::string key = "tokens";
  double fill = 0;
  int64_t multiple_of = 1;
  std::string mask = {};
  std::string length = {};
  static const Schema<PadLongestOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> pad_longest(PadLongestOptions options = {});

}  // namespace hearth::batch_ops
