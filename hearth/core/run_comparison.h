// How far two runs have the same bits, as their folders say: logs, checkpoints, what they were
// trained with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/core/spec.h"

namespace hearth {

// The first event that both logs have and that is not the same.
struct LogDifference {
  int64_t step = 0;
  std::string what;  // "step: loss is 0.31 in the first, 0.32 in the second"
};

struct RunComparison {
  size_t events = 0;          // in both logs
  size_t ledger_entries = 0;  // of them
  size_t lone_events = 0;     // in one only
  int64_t last_step = 0;      // of the events in both
  std::optional<LogDifference> log;
  size_t checkpoints = 0;  // in both, of the same step
  std::vector<std::string> checkpoint_differences;
  // What they were trained with, where that is not the same; a line each.
  std::vector<std::string> config;
  std::vector<std::string> data;
  std::vector<std::string> machine;

  [[nodiscard]] bool is_equal() const { return !log && checkpoint_differences.empty(); }
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string text() const;  // lines for a person
};

// DataError when one is no run, or its files cannot be read.
[[nodiscard]] RunComparison compare_runs(const fs::path& first, const fs::path& second);

}  // namespace hearth
