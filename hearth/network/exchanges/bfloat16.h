// Gradients in half of the bytes.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct Bfloat16Options {
  bool feedback = true;
  static const Schema<Bfloat16Options>& schema();
};

[[nodiscard]] Choice<Exchange> bfloat16(Bfloat16Options options = {});

}  // namespace hearth::exchanges
