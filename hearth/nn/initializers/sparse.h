// Normal numbers, most of which are zero.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct SparseOptions {
  double sparsity = 0.9;
  double std = 0.01;
  static const Schema<SparseOptions>& schema();
};

[[nodiscard]] Choice<Initializer> sparse(SparseOptions options = {});

}  // namespace hearth::initializers
