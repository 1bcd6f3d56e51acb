// The values of a sample in another shape.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ReshapeOptions {
  std::vector<int64_t> shape = {};  // must be given; one length may be -1
  static const Schema<ReshapeOptions>& schema();
};

[[nodiscard]] Choice<Layer> reshape(ReshapeOptions options);

}  // namespace hearth::layers
