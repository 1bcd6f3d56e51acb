// Adds noise to an image of bytes or floats.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct NoiseOptions {
  std::string key = "image";
  double probability = 1;
  std::string kind = "gaussian";
  std::vector<double> amount = {0.05};
  static const Schema<NoiseOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> noise(NoiseOptions options = {});

}  // namespace hearth::sample_ops
