// What finders share: what they try, and how they say how far they are. A finder trains a copy in
// memory; the experiment, and the run it may be taken from, stay as they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/experiment/options.h"

namespace hearth {

class Group;

// An experiment with its first values, or a run at its newest checkpoint.
struct FinderTarget {
  FinderTarget(const ExperimentOptions& options);  // NOLINT: implicit
  // A config that `load_experiment` made.
  explicit FinderTarget(Node effective) : config(std::move(effective)) {}
  // DataError when it is no run, or an exported model.
  [[nodiscard]] static FinderTarget of_run(const std::filesystem::path& run,
                                           const std::vector<std::string>& overrides = {});

  Node config;                   // effective
  std::filesystem::path run{};   // empty: none
  bool accepts_changes = false;  // of a run's files, as EstimatorSettings has it
};

struct FinderProgress {
  int64_t done = 0;
  int64_t total = 0;
  double seconds_left = 0;
  std::string text;  // "lr 0.0012  loss 1.31"
};

struct FinderSettings {
  std::function<void(const FinderProgress&)> on_progress = {};
  std::function<void(const std::string&)> on_notice = {};
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop at the next step
  // The processes that try together, as EstimatorSettings has it: all find the same.
  std::shared_ptr<Group> group = {};
};

}  // namespace hearth
