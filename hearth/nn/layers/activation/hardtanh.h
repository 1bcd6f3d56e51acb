// Values cut to a range.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct HardtanhOptions {
  double min_val = -1;
  double max_val = 1;
  static const Schema<HardtanhOptions>& schema();
};

[[nodiscard]] Choice<Layer> hardtanh(HardtanhOptions options = {});

}  // namespace hearth::layers
