// Whether windows and schedules fit a run of a known length.
#pragma once

#include <vector>

#include "hearth/config/time.h"
#include "hearth/config/validate.h"
#include "hearth/experiment/options.h"

namespace hearth {

struct TimeFit {
  std::vector<Fault> faults;    // what can never run, however long the run is
  std::vector<Fault> warnings;  // what this run is too short for
};

// The options are in full form, read from `config`, which says their places. ConfigError for a time
// that no step can be counted for.
[[nodiscard]] TimeFit time_fit(const ExperimentOptions& options, const TrainingLength& length,
                               const Node& config = {});

}  // namespace hearth
