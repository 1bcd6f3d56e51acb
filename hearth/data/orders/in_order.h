// Samples as the source has them, every epoch the same.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct InOrderOptions {
  static const Schema<InOrderOptions>& schema();
};

[[nodiscard]] Choice<Order> in_order(InOrderOptions options = {});

}  // namespace hearth::orders
