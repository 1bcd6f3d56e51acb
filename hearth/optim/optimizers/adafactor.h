// Steps divided by roots of squares, of which only rows and columns are kept.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct AdafactorOptions {
  Scheduled lr = 0.01;
  std::vector<double> eps = {1e-30, 1e-3};
  double clip_threshold = 1;
  double decay_rate = 0.8;
  double beta1 = 0;
  double weight_decay = 0;
  bool scale_parameter = true;
  bool relative_step = true;
  static const Schema<AdafactorOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> adafactor(AdafactorOptions options = {});

}  // namespace hearth::optimizers
