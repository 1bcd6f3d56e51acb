// A layer of the same graph, called again: shared weights.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct UseOptions {
  std::string layer = "";
  static const Schema<UseOptions>& schema();
};

[[nodiscard]] Choice<Layer> use(UseOptions options);

}  // namespace hearth::layers
