// A layer whose weight is a length and a direction for each output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct WeightNormOptions {
  std::optional<Choice<Layer>> layer = {};  // the edit that puts it there says it
  std::string parameter = "weight";
  int64_t dim = 0;
  static const Schema<WeightNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> weight_norm(WeightNormOptions options);

}  // namespace hearth::layers
