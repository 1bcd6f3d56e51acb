// A run trained again from its folder.
#include "hearth/train/recreate.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/core/checkpoint_facts.h"
#include "hearth/core/log_reader.h"
#include "hearth/train/recorded_steps.h"
#include "hearth/train/run_config.h"
#include "hearth/train/run_folder.h"

namespace hearth {
namespace {

// Where the run stopped before its end, if it did.
std::optional<int64_t> stopped_at(const fs::path& run) {
  for (const CheckpointFacts& facts : checkpoints_of(run)) {
    if (!facts.fault.empty() || !facts.name.starts_with("step-")) continue;
    const bool is_done = facts.epochs >= facts.target_epochs || !facts.stop_reason.empty();
    return is_done ? std::nullopt : std::optional(facts.step);
  }
  throw DataError(run.string() +
                  " has no checkpoint of a step that can be read; there is nothing to compare.");
}

std::vector<std::string> changes_in(const fs::path& history) {
  std::vector<std::string> changes;
  if (!is_there(history)) return changes;
  for (const Event& event : read_run_log(history))
    if (event.kind == "change" && event.details.contains("changes"))
      for (const Json& change : event.details.at("changes"))
        changes.push_back("at step " + std::to_string(event.step) + ": " +
                          change.get<std::string>());
  return changes;
}

}  // namespace

Recreation recreate(const std::filesystem::path& run, const std::filesystem::path& parent,
                    EstimatorSettings settings) {
  const RunFolder folder = RunFolder::open(run);
  const std::optional<int64_t> stopped = stopped_at(run);
  Node config = config_of(folder, {});
  config.set("folder", Node::scalar(parent.string()));
  Recreation made;
  made.changes = changes_in(folder.history());
  Estimator estimator(config, std::move(settings));
  replay_steps_of(folder.log(), estimator.network());
  const Report report = stopped ? estimator.step(*stopped, AfterSteps::kEnd) : estimator.fit();
  made.run_folder = report.run_folder;
  if (made.run_folder.empty()) return made;
  made.comparison = compare_runs(run, report.run_folder);
  return made;
}

}  // namespace hearth
