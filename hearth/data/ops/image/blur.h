// Blurs with a Gaussian of a width drawn for each image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct BlurOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<int64_t> kernel = {5};
  std::vector<double> sigma = {0.1, 2.0};
  static const Schema<BlurOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> blur(BlurOptions options = {});

}  // namespace hearth::sample_ops
