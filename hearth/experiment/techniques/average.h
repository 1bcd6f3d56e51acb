// Evaluation with averages of the weights.
#pragma once

#include <optional>
#include <string>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct AverageOptions {
  double decay = 0.999;
  std::optional<std::string> model = {};
  static const Schema<AverageOptions>& schema();
};

[[nodiscard]] Choice<Technique> average(AverageOptions options = {});

}  // namespace hearth::techniques
