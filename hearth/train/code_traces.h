// Functions of a program as traces. A config file cannot name them, unless the program that reads
// it has made them before: a run resumes in the same program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/train/trace.h"

namespace hearth::traces {

// What a program wants to be told, and what it does then.
struct Lambda {
  std::vector<Interest> on = {{Occasion::kEpochEnd}};
  std::vector<std::string> reads = {};  // keys, whose values `happening` has in batches
  std::function<void(const Happening& happening, RunControl& run)> call;
  // What it remembers, if that must survive a kill and a resume.
  std::function<Json()> state = {};
  std::function<void(const Json& state)> restore = {};
};

// A trace of that name; it replaces one that the program made before. ConfigError when there is
// nothing to call.
[[nodiscard]] Choice<Trace> lambda(const std::string& name, Lambda lambda);

}  // namespace hearth::traces
