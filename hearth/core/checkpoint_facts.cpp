// What a checkpoint says of itself.
#include "hearth/core/checkpoint_facts.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/state_file.h"

namespace hearth {
namespace {

void read_position(const Json& trainer, CheckpointFacts& facts) {
  const Json& position = trainer.at("position");
  facts.epochs = position.at("epoch").get<int64_t>();
  facts.batches = position.at("batch").get<int64_t>();
  facts.step = position.at("step").get<int64_t>();
  facts.target_epochs = position.at("target_epochs").get<int64_t>();
  facts.stop_reason = trainer.at("stop_reason").get<std::string>();
  facts.metrics = trainer.at("metrics").get<std::map<std::string, double>>();
  if (std::min({facts.epochs, facts.batches, facts.step, facts.target_epochs}) < 0)
    throw DataError(facts.path.string() + " stands at " + position.dump() +
                    ", where no run can be.");
}

}  // namespace

std::string CheckpointFacts::place() const {
  const std::string more =
      batches == 1 ? " and 1 batch" : " and " + std::to_string(batches) + " batches";
  return "step " + std::to_string(step) + ", " + std::to_string(epochs) + " of " +
         std::to_string(target_epochs) + " epochs" + (batches > 0 ? more : "");
}

CheckpointFacts checkpoint_facts(const fs::path& path) {
  const StateFile file(path);
  CheckpointFacts facts;
  facts.path = path;
  facts.name = path.stem();
  facts.bytes = fs::file_size(path);
  facts.tensors = file.tensors().entries().size();
  facts.values = file.values(kCheckpointKind);
  try {
    read_position(facts.values.at("trainer"), facts);
  } catch (const Json::exception& error) {
    throw DataError(path.string() +
                    " has a state of another shape than this program's: " + error.what());
  }
  return facts;
}

std::vector<CheckpointFacts> checkpoints_of(const fs::path& run) {
  const fs::path folder = run / "checkpoints";
  if (!fs::is_directory(folder))
    throw DataError(run.string() +
                    " has no checkpoints. Name the folder of a run, such as runs/digits-1.");
  std::vector<CheckpointFacts> all;
  for (const auto& paths : {step_checkpoints(folder), named_checkpoints(folder)})
    for (const fs::path& path : paths) try {
        all.push_back(checkpoint_facts(path));
      } catch (const DataError& error) {
        CheckpointFacts damaged;
        damaged.path = path;
        damaged.name = path.stem();
        damaged.fault = error.what();
        all.push_back(std::move(damaged));
      }
  return all;
}

std::string checkpoint_fault(const fs::path& path) {
  try {
    StateFile(path).verify();
    (void)checkpoint_facts(path);
    return "";
  } catch (const DataError& error) {
    return error.what();
  }
}

}  // namespace hearth
