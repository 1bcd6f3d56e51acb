// Says in one line what my_component is for.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct MyComponentOptions {
  double first = 0.01;
  double last = 0;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Schedule> my_component(MyComponentOptions options = {});

}  // namespace hearth::schedules
