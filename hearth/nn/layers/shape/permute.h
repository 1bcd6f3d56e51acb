// The dimensions of a sample in another order.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PermuteOptions {
  std::vector<int64_t> dims = {1, 0};
  static const Schema<PermuteOptions>& schema();
};

[[nodiscard]] Choice<Layer> permute(PermuteOptions options = {});

}  // namespace hearth::layers
