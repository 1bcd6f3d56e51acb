// Images and masks brought to one size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ResizeOptions {
  std::string key = "image";
  std::vector<int64_t> size = {224};
  static const Schema<ResizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> resize(ResizeOptions options = {});

}  // namespace hearth::sample_ops
