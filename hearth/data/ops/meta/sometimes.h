// Ops that run for some samples only.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct SometimesOptions {
  std::vector<Choice<SampleOp>> of = {};
  double probability = 0.5;
  static const Schema<SometimesOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> sometimes(const SometimesOptions& options = {});

}  // namespace hearth::sample_ops
