// Turns light into dark.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct OpenInvertOptions {
  std::string key = "image";
  double whole = 1;
  static const Schema<OpenInvertOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> open_invert(OpenInvertOptions options = {});

}  // namespace hearth::sample_ops
