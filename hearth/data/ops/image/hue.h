// Turns the circle of colours by an angle drawn for each image.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct HueOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> strength = {0.1};
  static const Schema<HueOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> hue(HueOptions options = {});

}  // namespace hearth::sample_ops
