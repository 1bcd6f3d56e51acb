// The last sample first.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct OpenBackwardsOptions {
  bool again = false;
  static const Schema<OpenBackwardsOptions>& schema();
};

[[nodiscard]] Choice<Order> open_backwards(OpenBackwardsOptions options = {});

}  // namespace hearth::orders
