// Every sample once an epoch, each epoch in another order.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct ShuffledOptions {
  static const Schema<ShuffledOptions>& schema();
};

[[nodiscard]] Choice<Order> shuffled(ShuffledOptions options = {});

}  // namespace hearth::orders
