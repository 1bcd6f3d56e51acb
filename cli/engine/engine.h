// What the engine's commands share: loading an experiment and saying things.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "hearth/experiment/load.h"
#include "hearth/experiment/options.h"
#include "hearth/train/estimator.h"

namespace hearth::cli {

struct EngineExperiment {
  LoadedExperiment loaded;
  ExperimentOptions options;
};

// Makes the components of the plugins that the files and overrides name known.
void load_plugins_of(const ExperimentArguments& arguments);
// Loads plugins, then the config against the live catalog.
[[nodiscard]] EngineExperiment load_for_engine(const ExperimentArguments& arguments);

// "  accuracy             0.9861\n"
[[nodiscard]] std::string row_of(const std::string& name, const std::string& value);
[[nodiscard]] std::string metric_lines(const Report& report);
[[nodiscard]] Json report_json(const Report& report);

}  // namespace hearth::cli
