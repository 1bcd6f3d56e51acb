// A window of an image, each time at another place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RandomCropOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<int64_t> size = {224};
  int64_t padding = 0;
  double fill = 0;
  std::optional<double> mask_fill = {};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<RandomCropOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> random_crop(const RandomCropOptions& options = {});

}  // namespace hearth::sample_ops
