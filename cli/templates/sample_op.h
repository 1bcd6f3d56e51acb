// Says in one line what my_component is for.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct MyComponentOptions {
  std::string key = "image";
  double factor = 1;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> my_component(MyComponentOptions options = {});

}  // namespace hearth::sample_ops
