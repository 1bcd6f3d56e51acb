// How far probabilities are from how often they are right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct CalibrationErrorOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string scores = "logits";
  int64_t bins = 15;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<CalibrationErrorOptions>& schema();
};

[[nodiscard]] Choice<Metric> calibration_error(const CalibrationErrorOptions& options = {});

}  // namespace hearth::metrics
