// Lowers learning rates when a metric no longer improves.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct PlateauOptions {
  std::string monitor = "eval/loss";
  double factor = 0.1;
  int64_t patience = 10;
  double min_change = 1e-4;
  bool relative = true;
  int64_t cooldown = 0;
  double floor = 0;
  std::string model = "";
  static const Schema<PlateauOptions>& schema();
};

Choice<Trace> plateau(PlateauOptions options = {});

}  // namespace hearth::traces
