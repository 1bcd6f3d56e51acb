// Goes back to the best weights when a metric no longer improves, with a smaller learning rate.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct RestoreOnPlateauOptions {
  std::string monitor = "eval/loss";
  std::map<std::string, double> with = {};
  int64_t patience = 3;
  double min_change = 0;
  double lr_factor = 0.5;
  double min_lr_factor = 1e-3;
  static const Schema<RestoreOnPlateauOptions>& schema();
};

[[nodiscard]] Choice<Trace> restore_on_plateau(RestoreOnPlateauOptions options = {});

}  // namespace hearth::traces
