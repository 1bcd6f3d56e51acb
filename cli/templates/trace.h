// Says in one line what my_component is for.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct MyComponentOptions {
  std::string monitor = "eval/accuracy";
  double goal = 0.99;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Trace> my_component(MyComponentOptions options = {});

}  // namespace hearth::traces
