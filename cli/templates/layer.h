// Says in one line what my_component is for.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MyComponentOptions {
  double scale = 1;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Layer> my_component(MyComponentOptions options = {});

}  // namespace hearth::layers
