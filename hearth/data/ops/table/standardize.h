// Numbers of mean 0 and deviation 1, column by column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct StandardizeOptions {
  std::string key = "features";
  std::vector<double> mean = {};
  std::vector<double> std = {};
  static const Schema<StandardizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> standardize(const StandardizeOptions& options = {});

}  // namespace hearth::sample_ops
