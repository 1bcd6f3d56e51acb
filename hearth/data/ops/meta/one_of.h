// One of several ops, drawn for each sample.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct OneOfOptions {
  std::vector<Choice<SampleOp>> of = {};
  std::vector<double> weights = {};
  static const Schema<OneOfOptions>& schema();
};

// A factory hides the rule of the same name for options of text; both are meant here.
using hearth::one_of;

[[nodiscard]] Choice<SampleOp> one_of(const OneOfOptions& options = {});

}  // namespace hearth::sample_ops
