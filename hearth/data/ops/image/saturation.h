// Makes colours paler or stronger by a factor drawn for each image.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct SaturationOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> strength = {0.4};
  static const Schema<SaturationOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> saturation(SaturationOptions options = {});

}  // namespace hearth::sample_ops
