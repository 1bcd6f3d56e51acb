// Adam whose steps are as long as each tensor allows.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct LambOptions {
  Scheduled lr = 0.001;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-6;
  double weight_decay = 0;
  bool adapt_vectors = true;
  static const Schema<LambOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> lamb(LambOptions options = {});

}  // namespace hearth::optimizers
