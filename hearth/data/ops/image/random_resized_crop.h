// A part of an image of random size and shape, brought to one size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RandomResizedCropOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<int64_t> size = {224};
  std::vector<double> scale = {0.08, 1};
  std::vector<double> ratio = {3.0 / 4, 4.0 / 3};
  std::string interpolation = "bilinear";
  bool antialias = true;
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<RandomResizedCropOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> random_resized_crop(const RandomResizedCropOptions& options = {});

}  // namespace hearth::sample_ops
