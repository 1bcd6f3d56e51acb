// How large the scores are.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct OpenSizeOptions {
  std::string in = "logits";
  std::string out = "open_size";
  static const Schema<OpenSizeOptions>& schema();
};

[[nodiscard]] Choice<Metric> open_size(OpenSizeOptions options = {});

}  // namespace hearth::metrics
