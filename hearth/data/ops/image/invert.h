// Makes negatives of some images.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct InvertOptions {
  std::string key = "image";
  double probability = 0.5;
  static const Schema<InvertOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> invert(InvertOptions options = {});

}  // namespace hearth::sample_ops
