// The last or the first place of a sequence, of those that a mask says are there.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PlacePoolOptions {
  std::string place = "last";
  static const Schema<PlacePoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> place_pool(PlacePoolOptions options = {});

}  // namespace hearth::layers
