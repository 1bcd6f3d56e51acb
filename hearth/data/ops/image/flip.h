// Mirrors an image, by chance.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct FlipOptions {
  std::vector<std::string> keys = {"image"};
  double horizontal = 0.5;
  double vertical = 0;
  static const Schema<FlipOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> flip(const FlipOptions& options = {});

}  // namespace hearth::sample_ops
