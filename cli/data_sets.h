// The data of an experiment on the command line, for commands that need nothing else of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "hearth/config/choice.h"
#include "hearth/config/node.h"

namespace hearth::cli {

struct DataFiles {
  // By name: train, eval or eval.<name>, test. Paths are absolute.
  std::vector<std::pair<std::string, Choice<Source>>> sets;
  Node steps;                            // of cleaning, when a file has any
  std::vector<std::string> experiments;  // the files that have none, as words of a shell
};

// Files with at least `data`; whole experiments are fine. `steps` is taken only where it is asked
// for. ConfigError with every fault of the data at once.
[[nodiscard]] DataFiles load_data_files(const ExperimentArguments& arguments, bool has_steps);

}  // namespace hearth::cli
