// The first places of a sequence.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FirstPlacesOptions {
  int64_t count = 1;
  static const Schema<FirstPlacesOptions>& schema();
};

[[nodiscard]] Choice<Layer> first_places(FirstPlacesOptions options = {});

}  // namespace hearth::layers
