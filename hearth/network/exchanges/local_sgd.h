// Processes that make steps by themselves, and take the mean of what they learned.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct LocalSgdOptions {
  int64_t steps = 8;
  int64_t exact_steps = 0;
  static const Schema<LocalSgdOptions>& schema();
};

[[nodiscard]] Choice<Exchange> local_sgd(LocalSgdOptions options = {});

}  // namespace hearth::exchanges
