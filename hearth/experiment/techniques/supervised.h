// The shorthand for one model with a loss, written out.
#pragma once

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct SupervisedOptions {
  static const Schema<SupervisedOptions>& schema();
};

[[nodiscard]] Choice<Technique> supervised(SupervisedOptions options = {});

}  // namespace hearth::techniques
