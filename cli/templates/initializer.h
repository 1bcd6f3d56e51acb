// Says in one line what my_component is for.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::initializers {

struct MyComponentOptions {
  double size = 0.1;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Initializer> my_component(MyComponentOptions options = {});

}  // namespace hearth::initializers
