// Steps of equal length along a sign.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct LionOptions {
  Scheduled lr = 0.0001;
  std::vector<double> betas = {0.9, 0.99};
  double weight_decay = 0;
  static const Schema<LionOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> lion(LionOptions options = {});

}  // namespace hearth::optimizers
