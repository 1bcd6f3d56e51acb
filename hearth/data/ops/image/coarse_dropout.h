// Writes over several small rectangles of the image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct CoarseDropoutOptions {
  std::string key = "image";
  double probability = 0.5;
  std::vector<int64_t> holes = {1, 8};
  std::vector<double> size = {0.05, 0.15};
  std::vector<double> fill = {0};
  static const Schema<CoarseDropoutOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> coarse_dropout(CoarseDropoutOptions options = {});

}  // namespace hearth::sample_ops
