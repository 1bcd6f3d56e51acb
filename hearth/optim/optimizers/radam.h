// Adam that waits with dividing until it knows the squares well.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct RadamOptions {
  Scheduled lr = 0.001;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  static const Schema<RadamOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> radam(RadamOptions options = {});

}  // namespace hearth::optimizers
