// Sets values at random to what selu gives for very low ones, while training.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AlphaDropoutOptions {
  double p = 0.5;
  static const Schema<AlphaDropoutOptions>& schema();
};

[[nodiscard]] Choice<Layer> alpha_dropout(AlphaDropoutOptions options = {});

}  // namespace hearth::layers
