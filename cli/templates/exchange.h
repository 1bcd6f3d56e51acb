// Says in one line what my_component is for.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct MyComponentOptions {
  double smallest = 1e-6;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Exchange> my_component(MyComponentOptions options = {});

}  // namespace hearth::exchanges
