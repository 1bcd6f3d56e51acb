// Writes over a rectangle of the image, of a size and place drawn for each.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RandomErasingOptions {
  std::string key = "image";
  double probability = 0.5;
  std::vector<double> scale = {0.02, 0.33};
  std::vector<double> ratio = {0.3, 3.3};
  std::vector<double> fill = {0};
  bool noise = false;
  static const Schema<RandomErasingOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> random_erasing(RandomErasingOptions options = {});

}  // namespace hearth::sample_ops
