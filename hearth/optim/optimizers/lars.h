// Momentum whose steps are as long as each tensor allows.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct LarsOptions {
  Scheduled lr = 0.1;
  double momentum = 0.9;
  double weight_decay = 0;
  double trust = 0.001;
  double eps = 1e-8;
  bool adapt_vectors = true;
  static const Schema<LarsOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> lars(LarsOptions options = {});

}  // namespace hearth::optimizers
