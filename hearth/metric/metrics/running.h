// A number of the batch, smoothed from step to step.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct RunningOptions {
  std::string in = "loss";
  double smoothing = 0.98;
  std::string out = "running_loss";
  static const Schema<RunningOptions>& schema();
};

[[nodiscard]] Choice<Metric> running(RunningOptions options = {});

}  // namespace hearth::metrics
