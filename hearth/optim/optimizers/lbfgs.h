// Steps along directions that past gradients have taught, with a search for their length.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct LbfgsOptions {
  Scheduled lr = 1;
  ScheduledCount max_iter = 20;
  ScheduledCount max_eval = 0;
  double tolerance_grad = 1e-7;
  double tolerance_change = 1e-9;
  ScheduledCount history_size = 10;
  std::string line_search = "none";
  static const Schema<LbfgsOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> lbfgs(LbfgsOptions options = {});

}  // namespace hearth::optimizers
