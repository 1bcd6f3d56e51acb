// A layer that keeps only its input for the backward pass, and computes the rest again there.
#pragma once

#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct RecomputeOptions {
  std::optional<Choice<Layer>> layer = {};  // the edit that puts it there says it
  static const Schema<RecomputeOptions>& schema();
};

[[nodiscard]] Choice<Layer> recompute(RecomputeOptions options = {});

}  // namespace hearth::layers
