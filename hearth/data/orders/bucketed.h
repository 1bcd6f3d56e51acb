// Batches of samples that are about equally long.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct BucketedOptions {
  std::string key = {};  // must be given
  int64_t window = 50;
  static const Schema<BucketedOptions>& schema();
};

[[nodiscard]] Choice<Order> bucketed(BucketedOptions options = {});

}  // namespace hearth::orders
