// The largest values of every gradient.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct TopKOptions {
  double share = 0.01;
  int64_t whole_below = 1000;
  int64_t exact_steps = 0;
  static const Schema<TopKOptions>& schema();
};

[[nodiscard]] Choice<Exchange> top_k(TopKOptions options = {});

}  // namespace hearth::exchanges
