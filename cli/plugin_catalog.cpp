// The catalog a command looks things up in: the program's own, or one with plugins' components.
#include "cli/plugin_catalog.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"

namespace hearth::cli {

void declare_plugins(CLI::App& app, PluginArguments& plugins) {
  app.add_option("--plugin", plugins.libraries,
                 "A library whose components to know, too; may be given again.")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--config", plugins.files,
                 "An experiment whose plugins to load; may be given again.")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

Catalog catalog_with(const PluginArguments& plugins) {
  ExperimentArguments arguments;
  arguments.files = plugins.files;
  // JSON's quotes are YAML's, too.
  for (const std::string& library : plugins.libraries)
    arguments.overrides.push_back("plugins+=" + nlohmann::json(library).dump());
  return catalog_with_plugins_of(arguments);
}

Catalog catalog_with_plugins_of(const ExperimentArguments& arguments) {
  if (!names_plugins(arguments)) return load_catalog();
  Catalog catalog;
  CatalogArguments wanted{arguments, &catalog};
  (void)run_in_engine("catalog", &wanted);
  return catalog;
}

}  // namespace hearth::cli
