// Says in one line what my_component is for.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct MyComponentOptions {
  std::string key = "image";
  double factor = 1;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> my_component(MyComponentOptions options = {});

}  // namespace hearth::batch_ops
