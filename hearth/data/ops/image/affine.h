// An image turned, moved, scaled and sheared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct AffineOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<double> degrees = {0};
  std::vector<double> translate = {0};
  std::vector<double> scale = {1, 1};
  std::vector<double> shear = {0};
  std::string interpolation = "bilinear";
  double fill = 0;
  std::optional<double> mask_fill = {};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<AffineOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> affine(const AffineOptions& options = {});

}  // namespace hearth::sample_ops
