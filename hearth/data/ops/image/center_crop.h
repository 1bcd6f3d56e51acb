// The middle of an image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct CenterCropOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<int64_t> size = {224};
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<CenterCropOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> center_crop(const CenterCropOptions& options = {});

}  // namespace hearth::sample_ops
