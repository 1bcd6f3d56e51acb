// Values stretched to a range, each sample by its own least and greatest.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct MinMaxOptions {
  std::string key = "image";
  double low = 0;
  double high = 1;
  static const Schema<MinMaxOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> min_max(MinMaxOptions options = {});

}  // namespace hearth::sample_ops
