// An image seen from the side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct PerspectiveOptions {
  std::vector<std::string> keys = {"image"};
  double distortion = 0.5;
  std::string interpolation = "bilinear";
  double fill = 0;
  std::optional<double> mask_fill = {};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<PerspectiveOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> perspective(const PerspectiveOptions& options = {});

}  // namespace hearth::sample_ops
