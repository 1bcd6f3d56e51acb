// A convolution that gives what it gets.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct DiracOptions {
  int64_t groups = 1;
  static const Schema<DiracOptions>& schema();
};

[[nodiscard]] Choice<Initializer> dirac(DiracOptions options = {});

}  // namespace hearth::initializers
