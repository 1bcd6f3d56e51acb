// What the finders are asked for: a config or a run, and what to try.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace hearth::cli {

struct FindArguments : ExperimentArguments, FolderArguments {
  std::string run;  // a run's folder, in the place of files
  std::string out;  // the folder for what is found; empty: nothing is written
  bool is_quiet = false;
};

// What is not given is as hearth/train/finders have it.
struct FindRateArguments : FindArguments {
  std::optional<double> from;
  std::optional<double> to;
  std::optional<int64_t> steps;
  std::optional<double> smooth;
  std::string optimizer;
  std::string loss;
};

struct FindBatchSizeArguments : FindArguments {
  std::optional<int64_t> from;
  std::optional<int64_t> to;
  std::optional<double> seconds;
  std::optional<int64_t> memory_bytes;
};

struct FindWorkersArguments : FindArguments {
  std::optional<int64_t> most;
  std::optional<double> seconds;
};

// The words FILE..., KEY=VALUE... or RUN, and the flags of all finders.
void declare_find(CLI::App& app, std::vector<std::string>& words, FindArguments& arguments);
// Sorts the words, and checks a config before LibTorch is loaded. Gives the threads that it asks
// for.
[[nodiscard]] std::optional<int> settle_find(const std::vector<std::string>& words,
                                             const std::string& command, FindArguments& arguments);

}  // namespace hearth::cli
