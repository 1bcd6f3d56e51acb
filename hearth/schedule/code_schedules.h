// A schedule that a program computes. A config file cannot name it, unless the program that reads
// it has made it before: a run resumes in the same program.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct CodeSchedule {
  // Always the same for a moment, and asked from several threads: what happened before, or chance,
  // must not count, or a resumed run would differ.
  std::function<double(const Moment&)> value;
  // What it keeps within; a value beyond is a ConfigError when it comes.
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  // When it starts to behave differently; warm-up visits these moments.
  std::vector<Time> changes = {};
};

// A schedule of that name, for `lr` and others; it replaces one that the program made before.
[[nodiscard]] Choice<Schedule> lambda(const std::string& name, CodeSchedule schedule);

}  // namespace hearth::schedules
