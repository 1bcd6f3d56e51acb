// From files and overrides to a checked experiment: read, merge, override, validate, expand,
// defaults.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"
#include "hearth/experiment/expand.h"

namespace hearth {

struct LoadedExperiment {
  std::string as_written;  // the files' text and the overrides, for the run folder
  // Paths are absolute, and marks name their options.
  Node expanded;   // the full form, as given
  Node effective;  // the full form with every default
};

// ConfigError with every fault at once.
[[nodiscard]] LoadedExperiment load_experiment(const std::vector<std::filesystem::path>& files,
                                               const std::vector<std::string>& overrides,
                                               const Catalog& catalog,
                                               ConfigScope scope = ConfigScope::kWhole);
// The same for a config that is already in memory.
[[nodiscard]] LoadedExperiment load_experiment(Node config,
                                               const std::vector<std::string>& overrides,
                                               const Catalog& catalog,
                                               ConfigScope scope = ConfigScope::kWhole);

}  // namespace hearth
