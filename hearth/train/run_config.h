// The config of a run: of a new one from C++ options, or of one that is taken up again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/experiment/options.h"
#include "hearth/train/run_folder.h"

namespace hearth {

// What C++ options come to, with every default.
[[nodiscard]] Node effective_config(const ExperimentOptions& options,
                                    const std::vector<std::string>& overrides = {});
// A folder's config with overrides, and with the plugins it names loaded.
[[nodiscard]] Node config_of(const RunFolder& folder, const std::vector<std::string>& overrides);

// A run that is to go on. DataError when it is an exported model, which has nothing to go on from.
struct RunToResume {
  RunFolder folder;
  Node config;                       // as it goes on
  std::vector<std::string> changes;  // what the overrides change, by path
  [[nodiscard]] static RunToResume open(const std::filesystem::path& run,
                                        const std::vector<std::string>& overrides);
};

}  // namespace hearth
