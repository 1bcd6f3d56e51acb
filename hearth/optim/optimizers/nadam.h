// Adam that looks ahead along its momentum.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct NadamOptions {
  Scheduled lr = 0.002;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum_decay = 0.004;
  static const Schema<NadamOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> nadam(NadamOptions options = {});

}  // namespace hearth::optimizers
