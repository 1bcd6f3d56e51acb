// Moves an image by a few pixels, each time another way.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RandomShiftOptions {
  std::string key = "image";
  int64_t pixels = 1;
  double fill = 0;
  static const Schema<RandomShiftOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> random_shift(RandomShiftOptions options = {});

}  // namespace hearth::sample_ops
