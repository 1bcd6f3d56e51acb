// What the finders' commands share: what to try, how far it is, where what is found goes.
#pragma once

#include <string>
#include <vector>

#include "cli/find_arguments.h"
#include "hearth/core/spec.h"
#include "hearth/tracking/chart/chart.h"
#include "hearth/train/finders/finder.h"

namespace hearth::cli {

[[nodiscard]] FinderTarget target_of(const FindArguments& arguments);
// Signals are heeded from here on.
[[nodiscard]] FinderSettings finder_settings(const FindArguments& arguments);

struct Found {
  std::string name;  // of the files: "lr"
  Json json;
  std::string text;
  Chart chart;
  bool was_interrupted = false;
  std::vector<std::string> overrides = {};  // to train with next
};
// Prints it, writes it where that is asked for; the answer is the exit code.
[[nodiscard]] int show_finding(const Found& found, const FindArguments& arguments);

}  // namespace hearth::cli
