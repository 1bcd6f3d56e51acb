// A number made of other metrics' numbers.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct ExpressionOptions {
  std::string of = {};  // must be given
  std::string better = "higher";
  std::string out = "expression";
  static const Schema<ExpressionOptions>& schema();
};

[[nodiscard]] Choice<Metric> expression(ExpressionOptions options = {});

}  // namespace hearth::metrics
