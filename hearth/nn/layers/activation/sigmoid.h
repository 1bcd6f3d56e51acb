// 1 / (1 + exp(-x)), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SigmoidOptions {
  static const Schema<SigmoidOptions>& schema();
};

[[nodiscard]] Choice<Layer> sigmoid(SigmoidOptions options = {});

}  // namespace hearth::layers
