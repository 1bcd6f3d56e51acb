// Nothing but ones.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct OnesOptions {
  static const Schema<OnesOptions>& schema();
};

[[nodiscard]] Choice<Initializer> ones(OnesOptions options = {});

}  // namespace hearth::initializers
