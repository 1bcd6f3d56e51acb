// An image brought to a size; masks, boxes and points go with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ResizeOptions {
  std::string key = "image";
  std::vector<int64_t> size = {224};
  std::vector<std::string> keys = {};
  std::optional<int64_t> shorter = {};
  std::string interpolation = "area";
  bool antialias = true;
  std::vector<std::string> box_keys = {};
  double min_area = 0;
  double min_visible = 0;
  static const Schema<ResizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> resize(ResizeOptions options = {});

}  // namespace hearth::sample_ops
