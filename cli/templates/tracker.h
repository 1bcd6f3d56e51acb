// Says in one line what my_component is for.
#pragma once

#include <string>

#include "hearth/tracking/tracker.h"

namespace hearth::trackers {

struct MyComponentOptions {
  std::string file = "my_component.txt";
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Tracker> my_component(MyComponentOptions options = {});

}  // namespace hearth::trackers
