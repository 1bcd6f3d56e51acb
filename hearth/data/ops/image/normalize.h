// Shifts and scales a key so that its values lie around zero.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct NormalizeOptions {
  std::string key = "image";
  std::vector<double> mean = {0.0};
  std::vector<double> std = {1.0};
  static const Schema<NormalizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> normalize(NormalizeOptions options = {});

}  // namespace hearth::sample_ops
