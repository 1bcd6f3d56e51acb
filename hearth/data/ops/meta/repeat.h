// Ops that run several times.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RepeatOptions {
  std::vector<Choice<SampleOp>> of = {};
  int64_t times = 2;
  static const Schema<RepeatOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> repeat(const RepeatOptions& options = {});

}  // namespace hearth::sample_ops
