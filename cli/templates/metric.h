// Says in one line what my_component is for.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct MyComponentOptions {
  std::string in = "logits";
  std::string out = "my_component";
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Metric> my_component(MyComponentOptions options = {});

}  // namespace hearth::metrics
