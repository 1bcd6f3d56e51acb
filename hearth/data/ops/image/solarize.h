// Inverts what is bright.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct SolarizeOptions {
  std::string key = "image";
  double probability = 0.5;
  double threshold = 128;
  static const Schema<SolarizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> solarize(SolarizeOptions options = {});

}  // namespace hearth::sample_ops
