// Brightness, contrast, saturation and hue, each drawn, in an order drawn for each image.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ColorJitterOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> brightness = {0};
  std::vector<double> contrast = {0};
  std::vector<double> saturation = {0};
  std::vector<double> hue = {0};
  static const Schema<ColorJitterOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> color_jitter(ColorJitterOptions options = {});

}  // namespace hearth::sample_ops
