// Makes values zero at random while training.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DropoutOptions {
  double p = 0.5;
  static const Schema<DropoutOptions>& schema();
};

[[nodiscard]] Choice<Layer> dropout(DropoutOptions options = {});

}  // namespace hearth::layers
