// Momentum of matrices, made orthogonal.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct MuonOptions {
  Scheduled lr = 0.02;
  double momentum = 0.95;
  bool nesterov = true;
  ScheduledCount iterations = 5;
  double weight_decay = 0;
  double vector_lr_factor = 0.015;
  std::vector<double> vector_betas = {0.9, 0.95};
  double vector_eps = 1e-10;
  static const Schema<MuonOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> muon(MuonOptions options = {});

}  // namespace hearth::optimizers
