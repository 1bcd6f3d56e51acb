// The catalog a command looks things up in: the program's own, or one with plugins' components.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "hearth/config/catalog.h"

namespace CLI {
class App;
}

namespace hearth::cli {

// Whose components are known besides Hearth's own.
struct PluginArguments {
  std::vector<std::string> libraries;  // --plugin
  std::vector<std::string> files;      // --config: those that an experiment names
};

void declare_plugins(CLI::App& app, PluginArguments& plugins);

// Loads LibTorch only when there are plugins to load.
[[nodiscard]] Catalog catalog_with(const PluginArguments& plugins);
[[nodiscard]] Catalog catalog_with_plugins_of(const ExperimentArguments& arguments);

}  // namespace hearth::cli
