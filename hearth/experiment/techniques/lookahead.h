// Parameters that go back a share of their way every few steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct LookaheadOptions {
  int64_t steps = 5;
  double rate = 0.5;
  std::optional<std::string> model = {};
  static const Schema<LookaheadOptions>& schema();
};

[[nodiscard]] Choice<Technique> lookahead(LookaheadOptions options = {});

}  // namespace hearth::techniques
