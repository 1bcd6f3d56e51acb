// How fast a trial trains: real steps, with the data they wait for.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/node.h"
#include "hearth/train/finders/finder.h"

namespace hearth {

struct TimedSteps {
  int64_t steps = 0;
  double step_seconds = 0;
  double samples_per_second = 0;
  double wait_share = 0;         // of the time, spent waiting for data
  uint64_t tensor_bytes = 0;     // at most at a time; 0 where Hearth does not count them
  uint64_t process_bytes = 0;    // that this process ever took
  int64_t samples_per_step = 0;  // of a full one
  int64_t steps_per_epoch = 0;
  int64_t training_samples = 0;
  bool was_interrupted = false;
};

// Trains the config from its first values: a few steps that do not count, then some for about so
// many seconds, and three at least. Zeros when it is interrupted before that.
[[nodiscard]] TimedSteps time_steps(const Node& config, double seconds,
                                    const FinderSettings& settings);

// The config of a trial that does not come to its end.
[[nodiscard]] Node endless_trial(const Node& config);

}  // namespace hearth
