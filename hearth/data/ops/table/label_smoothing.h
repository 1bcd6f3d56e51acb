// Labels that leave some share to every class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct LabelSmoothingOptions {
  std::string key = "label";
  double amount = 0.1;
  static const Schema<LabelSmoothingOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> label_smoothing(const LabelSmoothingOptions& options = {});

}  // namespace hearth::sample_ops
