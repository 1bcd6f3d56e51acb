// The config of a run.
#include "hearth/train/run_config.h"

#include "hearth/base/error.h"
#include "hearth/experiment/expand.h"
#include "hearth/experiment/load.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/plugins.h"
#include "hearth/train/run_origin.h"

namespace hearth {

Node effective_config(const ExperimentOptions& options, const std::vector<std::string>& overrides) {
  Node config = ExperimentOptions::schema().write(options);
  load_plugins(config);
  // What the C++ side left empty was not chosen.
  for (const char* key : {"models", "network"})
    if (const Node* node = config.find(key);
        node != nullptr && node->entries().empty() && node->items().empty())
      config.erase(key);
  if (config.find("models") != nullptr) config = without_shorthand(std::move(config));
  return load_experiment(std::move(config), overrides, live_catalog()).effective;
}

Node config_of(const RunFolder& folder, const std::vector<std::string>& overrides) {
  const Node config = folder.config();
  load_plugins(config, overrides);
  return load_experiment(config, overrides, live_catalog()).effective;
}

RunToResume RunToResume::open(const std::filesystem::path& run,
                              const std::vector<std::string>& overrides) {
  RunFolder folder = RunFolder::open(run);
  if (folder.is_model())
    throw DataError(run.string() +
                    " is an exported model, not a run: it has no checkpoint to go on from. Resume "
                    "the run it was exported from.");
  Node config = config_of(folder, overrides);
  std::vector<std::string> changes;
  if (!overrides.empty()) changes = config_differences(config_of(folder, {}), config);
  return {std::move(folder), std::move(config), std::move(changes)};
}

}  // namespace hearth
