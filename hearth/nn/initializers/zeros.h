// Nothing but zeros.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct ZerosOptions {
  static const Schema<ZerosOptions>& schema();
};

[[nodiscard]] Choice<Initializer> zeros(ZerosOptions options = {});

}  // namespace hearth::initializers
