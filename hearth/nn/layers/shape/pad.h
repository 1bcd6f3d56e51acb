// Values around the edges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PadOptions {
  std::vector<int64_t> padding = {};  // must be given: left, right, top, bottom
  std::string mode = "constant";
  double value = 0;
  static const Schema<PadOptions>& schema();
};

[[nodiscard]] Choice<Layer> pad(PadOptions options);

}  // namespace hearth::layers
