// Slow weights that follow the fast ones every few steps.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct LookaheadOptions {
  std::string model = "net";
  int64_t steps = 5;
  double rate = 0.5;
  static const Schema<LookaheadOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> lookahead(LookaheadOptions options = {});

}  // namespace hearth::network_ops
