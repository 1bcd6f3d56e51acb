// Gradients without what is too small to matter.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct OpenFloorOptions {
  double smallest = 1e-6;
  static const Schema<OpenFloorOptions>& schema();
};

[[nodiscard]] Choice<Exchange> open_floor(OpenFloorOptions options = {});

}  // namespace hearth::exchanges
