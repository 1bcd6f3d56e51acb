// Digests of losses and parameters in the run log, every so many steps.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct LedgerOptions {
  Time interval = steps(100);
  static const Schema<LedgerOptions>& schema();
};

[[nodiscard]] Choice<Trace> ledger(LedgerOptions options = {});

}  // namespace hearth::traces
