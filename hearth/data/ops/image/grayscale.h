// Takes the colours out of some images, which keep their channels.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct GrayscaleOptions {
  std::string key = "image";
  double probability = 0.1;
  static const Schema<GrayscaleOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> grayscale(GrayscaleOptions options = {});

}  // namespace hearth::sample_ops
