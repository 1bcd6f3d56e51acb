// Zeros for the factors of the last norm of each residual branch.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct ZeroGammaOptions {
  static const Schema<ZeroGammaOptions>& schema();
};

[[nodiscard]] Choice<Initializer> zero_gamma(ZeroGammaOptions options = {});

}  // namespace hearth::initializers
