// One small run in a process of its own, with a fault in its file calls or without.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hearth {

// How a process ended, and what it found and left behind.
struct RunEnd {
  int exit_code = 0;         // as the program's would be; 128 and the signal when it was killed
  bool has_struck = false;   // whether the fault was met
  std::string message = {};  // of the error, if there was one
  std::string digest = {};   // weights and optimizer, of the run and of its best model
  std::string events = {};   // the log without its times
  // What must not be, before or after: checkpoints that are lost or damaged, drafts that stay.
  std::string faults = {};
};

// Trains a new run below `folder`, or goes on with the one that is there.
[[nodiscard]] RunEnd run_with(const std::filesystem::path& folder, const std::string& fault,
                              const std::string& record = "");
// Trains a new run below `folder`, and writes down all that it changes on disk.
[[nodiscard]] RunEnd run_journaled(const std::filesystem::path& folder,
                                   const std::filesystem::path& journal);
// Trains a new run until it is interrupted in the middle of an epoch.
[[nodiscard]] RunEnd run_half(const std::filesystem::path& folder);

}  // namespace hearth
