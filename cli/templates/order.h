// Says in one line what my_component is for.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct MyComponentOptions {
  int64_t first = 0;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Order> my_component(MyComponentOptions options = {});

}  // namespace hearth::orders
