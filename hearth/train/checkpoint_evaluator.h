// Measures the checkpoints of a run beside the process that trains it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/mode.h"
#include "hearth/core/event.h"
#include "hearth/tracking/run_watch.h"

namespace hearth {

struct CheckpointEvaluation {
  Mode mode = Mode::kEval;
  std::vector<std::string> overrides = {};  // of the run's config
  // Steps from one that is measured to the next; the last one of a run that ended always is.
  int64_t every = 1;
  bool is_once = false;   // only those that are there now
  std::string best = {};  // the metric that says which is kept as checkpoints/best_evaluated
  bool accepts_changes = false;
  std::function<void(const Event&)> on_result = {};  // as it stands in evaluations.jsonl
  std::function<void(const std::string&)> on_note = {};
  const std::atomic<bool>* interrupt = nullptr;  // set it to end soon
};

struct CheckpointsEvaluated {
  int64_t measured = 0;
  int64_t known = 0;          // measured earlier, by whomever
  int64_t missed = 0;         // removed by the training before they could be read, or damaged
  std::optional<Event> best;  // of all in evaluations.jsonl that fit, by the metric asked for
  RunPhase state = RunPhase::kTraining;
  bool was_interrupted = false;
};

// Goes on until the run ends or is gone. Results stand in the run's evaluations.jsonl, where a next
// call finds what is done already; else nothing is written into the run's folder. DataError when
// there is no such run; ConfigError for what cannot be measured.
[[nodiscard]] CheckpointsEvaluated evaluate_checkpoints(const std::filesystem::path& run,
                                                        const CheckpointEvaluation& wanted);

}  // namespace hearth
