// Batches of P identities with K samples each.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct PkOptions {
  std::string key = "label";
  int64_t instances = 4;
  int64_t least = 1;
  static const Schema<PkOptions>& schema();
};

[[nodiscard]] Choice<Order> pk(PkOptions options = {});

}  // namespace hearth::orders
