// The four corners and the middle of an image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct FiveCropOptions {
  std::string key = "image";
  std::vector<int64_t> size = {224};
  std::vector<std::string> into = {"image_top_left", "image_top_right", "image_bottom_left",
                                   "image_bottom_right", "image_center"};
  static const Schema<FiveCropOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> five_crop(const FiveCropOptions& options = {});

}  // namespace hearth::sample_ops
