// Makes whole samples zero at random while training: stochastic depth, inside a residual block.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DropPathOptions {
  double p = 0.1;
  static const Schema<DropPathOptions>& schema();
};

[[nodiscard]] Choice<Layer> drop_path(DropPathOptions options = {});

}  // namespace hearth::layers
