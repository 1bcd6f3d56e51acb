// An image whose points have each moved a little.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ElasticOptions {
  std::vector<std::string> keys = {"image"};
  double alpha = 50;
  double sigma = 5;
  std::string interpolation = "bilinear";
  double fill = 0;
  std::optional<double> mask_fill = {};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<ElasticOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> elastic(const ElasticOptions& options = {});

}  // namespace hearth::sample_ops
