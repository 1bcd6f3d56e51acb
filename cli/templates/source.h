// Says in one line what my_component is for.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct MyComponentOptions {
  int64_t size = 100;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Source> my_component(MyComponentOptions options = {});

}  // namespace hearth::sources
