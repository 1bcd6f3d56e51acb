// First values for residual networks without norms (Zhang et al. 2019).
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct FixupOptions {
  static const Schema<FixupOptions>& schema();
};

[[nodiscard]] Choice<Initializer> fixup(FixupOptions options = {});

}  // namespace hearth::initializers
