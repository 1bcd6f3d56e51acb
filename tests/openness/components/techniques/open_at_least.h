// A training that is not too short.
#pragma once

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct OpenAtLeastOptions {
  int64_t epochs = 2;
  static const Schema<OpenAtLeastOptions>& schema();
};

[[nodiscard]] Choice<Technique> open_at_least(OpenAtLeastOptions options = {});

}  // namespace hearth::techniques
