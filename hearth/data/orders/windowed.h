// Shuffled in windows: samples that lie together are read together, for data that are read best in
// their order.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct WindowedOptions {
  int64_t window = 1024;
  int64_t mixed = 4;
  static const Schema<WindowedOptions>& schema();
};

[[nodiscard]] Choice<Order> windowed(WindowedOptions options = {});

}  // namespace hearth::orders
