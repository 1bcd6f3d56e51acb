// Labels that are not quite certain.
#pragma once

#include <optional>
#include <string>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct LabelSmoothingOptions {
  double amount = 0.1;
  std::optional<std::string> loss = {};
  static const Schema<LabelSmoothingOptions>& schema();
};

[[nodiscard]] Choice<Technique> label_smoothing(LabelSmoothingOptions options = {});

}  // namespace hearth::techniques
