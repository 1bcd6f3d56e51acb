// Tokens, and those that come one later.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ShiftOptions {
  std::string key = "tokens";
  std::string next = "next";
  static const Schema<ShiftOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> shift(ShiftOptions options = {});

}  // namespace hearth::sample_ops
