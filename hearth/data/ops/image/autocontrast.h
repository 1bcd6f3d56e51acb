// Stretches each channel from black to white.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct AutocontrastOptions {
  std::string key = "image";
  double probability = 0.5;
  static const Schema<AutocontrastOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> autocontrast(AutocontrastOptions options = {});

}  // namespace hearth::sample_ops
