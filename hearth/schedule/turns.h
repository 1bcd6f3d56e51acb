// Stretches of training, one after another, and clocks that start within it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/time.h"

namespace hearth {

// The step at which a turn begins. Turns need not be equally long: epochs differ, and parts of
// epochs are rounded to steps.
[[nodiscard]] inline int64_t turn_start(const Time& every, int64_t turn,
                                        const TrainingLength& length) {
  return Time{every.value * static_cast<double>(turn), every.unit}.steps(length);
}

// The turn that a step is in, from 0.
[[nodiscard]] inline int64_t turn_at(const Time& every, int64_t step,
                                     const TrainingLength& length) {
  constexpr int64_t kMostTurns = int64_t{1} << 40;
  int64_t after = 1;
  while (after < kMostTurns && turn_start(every, after, length) <= step) after *= 2;
  int64_t turn = after / 2;
  while (after - turn > 1) {
    const int64_t middle = turn + (after - turn) / 2;
    (turn_start(every, middle, length) <= step ? turn : after) = middle;
  }
  return turn;
}

// The training as one sees it who begins at this step: shorter, and its times count from there.
[[nodiscard]] inline TrainingLength length_from(int64_t step, TrainingLength length) {
  length.total_steps = std::max<int64_t>(length.total_steps - step, 0);
  if (step > 0) length.epochs = nullptr;
  return length;
}

[[nodiscard]] inline Moment moment_from(int64_t step, const Moment& moment) {
  if (step == 0) return moment;
  Moment later{moment.step - step, 0, length_from(step, moment.length)};
  later.epoch = later.length.steps_per_epoch > 0 ? later.step / later.length.steps_per_epoch : 0;
  return later;
}

// "every 3ep is step 30, but the run ends after 20, so <what follows>."
[[nodiscard]] inline std::string said_beyond(const std::string& option, const Time& time,
                                             const TrainingLength& length,
                                             const std::string& what_follows) {
  return option + " " + time.text() + " is step " + std::to_string(time.steps(length)) +
         ", but the run ends after " + std::to_string(length.total_steps) + ", so " + what_follows +
         ".";
}

}  // namespace hearth
