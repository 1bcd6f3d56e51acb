// Says in one line what my_component is for.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct MyComponentOptions {
  std::string in = "logits";
  std::string out = "scaled";
  double factor = 1;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> my_component(MyComponentOptions options = {});

}  // namespace hearth::network_ops
