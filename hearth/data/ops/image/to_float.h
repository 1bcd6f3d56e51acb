// Bytes and whole numbers to floats.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ToFloatOptions {
  std::string key = "image";
  static const Schema<ToFloatOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> to_float(ToFloatOptions options = {});

}  // namespace hearth::sample_ops
