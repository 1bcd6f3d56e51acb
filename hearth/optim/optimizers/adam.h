// Adam.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct AdamOptions {
  Scheduled lr = 0.001;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;
  bool maximize = false;
  static const Schema<AdamOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> adam(AdamOptions options = {});

}  // namespace hearth::optimizers
