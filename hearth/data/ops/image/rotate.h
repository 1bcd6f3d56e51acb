// An image turned around its middle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RotateOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<double> degrees = {15};
  bool expand = false;
  std::string interpolation = "bilinear";
  double fill = 0;
  std::optional<double> mask_fill = {};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<RotateOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> rotate(const RotateOptions& options = {});

}  // namespace hearth::sample_ops
