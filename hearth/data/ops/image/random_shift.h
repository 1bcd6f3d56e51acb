// Moves an image by a few pixels, each time another way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RandomShiftOptions {
  std::string key = "image";
  int64_t pixels = 1;
  double fill = 0;
  std::vector<std::string> keys = {};
  std::optional<double> mask_fill = {};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<RandomShiftOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> random_shift(RandomShiftOptions options = {});

}  // namespace hearth::sample_ops
