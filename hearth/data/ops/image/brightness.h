// Makes images brighter or darker by a factor drawn for each.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct BrightnessOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> strength = {0.4};
  static const Schema<BrightnessOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> brightness(BrightnessOptions options = {});

}  // namespace hearth::sample_ops
