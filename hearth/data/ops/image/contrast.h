// Moves pixels towards or away from the mean gray, by a factor drawn for each image.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ContrastOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> strength = {0.4};
  static const Schema<ContrastOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> contrast(ContrastOptions options = {});

}  // namespace hearth::sample_ops
