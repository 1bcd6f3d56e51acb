// Lets samples count nothing whose value is not within bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct FilterOptions {
  std::string key = "label";
  std::optional<double> least = {};
  std::optional<double> most = {};
  std::vector<double> only = {};
  std::vector<double> without = {};
  static const Schema<FilterOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> filter(FilterOptions options = {});

}  // namespace hearth::sample_ops
