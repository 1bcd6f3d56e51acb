// Writes the norms of gradients into the run log, and says when they vanish or explode.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct GradientWatchOptions {
  Time interval = steps(100);
  std::string by = "layer";
  double vanishing = 1e-8;
  double exploding = 1e3;
  int64_t bins = 0;
  static const Schema<GradientWatchOptions>& schema();
};

[[nodiscard]] Choice<Trace> gradient_watch(GradientWatchOptions options = {});

}  // namespace hearth::traces
