// Some of several ops, drawn for each sample.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct SomeOfOptions {
  std::vector<Choice<SampleOp>> of = {};
  std::vector<int64_t> count = {1};
  static const Schema<SomeOfOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> some_of(const SomeOfOptions& options = {});

}  // namespace hearth::sample_ops
