// Samples of several files or shards in turns.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct InterleavedOptions {
  int64_t shards = 4;
  int64_t block = 1;
  int64_t window = 1024;
  static const Schema<InterleavedOptions>& schema();
};

[[nodiscard]] Choice<Order> interleaved(InterleavedOptions options = {});

}  // namespace hearth::orders
