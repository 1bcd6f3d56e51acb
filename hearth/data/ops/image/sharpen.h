// Makes images sharper or smoother by a factor drawn for each.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct SharpenOptions {
  std::string key = "image";
  double probability = 0.5;
  std::vector<double> factor = {1, 2};
  static const Schema<SharpenOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> sharpen(SharpenOptions options = {});

}  // namespace hearth::sample_ops
