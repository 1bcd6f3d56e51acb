// How many data workers, and how many batches ahead, let training wait least. Whatever they are,
// the bits of the training are the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/tracking/chart/chart.h"
#include "hearth/train/finders/finder.h"

namespace hearth {

struct WorkersSearch {
  std::optional<int64_t> most = {};  // left out: as many as there are cores
  double seconds = 1;                // for each trial
};

struct WorkersRow {
  std::optional<int64_t> workers = {};  // none: they adapt
  int64_t depth = 0;                    // batches ahead
  double samples_per_second = 0;        // the mean of its trials
  double wait_share = 0;
  int64_t trials = 0;
  double least = 0;  // samples a second of its trials
  double most = 0;
  [[nodiscard]] std::string name() const;  // "3 workers, depth 2"
};

struct WorkersFinding {
  std::vector<WorkersRow> rows;  // the configured one first
  size_t fastest = 0;            // of the rows; the configured one when nothing is to be gained
  double gain = 1;               // its samples a second over those of the configured
  std::string reason;
  double seconds = 0;
  bool was_interrupted = false;

  // Nothing when there is nothing to be gained.
  [[nodiscard]] std::vector<std::string> overrides() const;
  [[nodiscard]] Chart chart() const;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] WorkersFinding find_workers(const FinderTarget& target,
                                          const WorkersSearch& search = {},
                                          const FinderSettings& settings = {});

// Says whether the row that `fastest` names is worth a change: by 5 %, and faster than the
// configured one in every trial.
void choose_workers(WorkersFinding& finding);

}  // namespace hearth
