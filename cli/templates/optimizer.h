// Says in one line what my_component is for.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct MyComponentOptions {
  Scheduled lr = 0.01;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> my_component(MyComponentOptions options = {});

}  // namespace hearth::optimizers
