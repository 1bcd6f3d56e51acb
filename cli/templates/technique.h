// Says in one line what my_component is for.
#pragma once

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct MyComponentOptions {
  int64_t epochs = 2;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Technique> my_component(MyComponentOptions options = {});

}  // namespace hearth::techniques
