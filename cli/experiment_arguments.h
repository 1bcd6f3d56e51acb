// Files and overrides of an experiment on the command line, and their check before LibTorch is
// loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "hearth/config/catalog.h"
#include "hearth/experiment/load.h"

namespace CLI {
class App;
}

namespace hearth::cli {

// An override has its '=' before any '/', or is not the name of a file: train.epochs=3.
[[nodiscard]] bool is_override(const std::string& word);

// Declares the positionals FILE... and KEY=VALUE..., which may be mixed.
void declare_experiment(CLI::App& app, std::vector<std::string>& words);

// Sorts the words into files and overrides. ConfigError when there is no file.
void sort_words(const std::vector<std::string>& words, const std::string& command,
                ExperimentArguments& arguments);

// The experiment as the catalog knows it; ConfigError with every fault at once.
[[nodiscard]] LoadedExperiment load(const ExperimentArguments& arguments, const Catalog& catalog);

// Whether a file or an override names plugins, whose components only the engine can know.
[[nodiscard]] bool names_plugins(const ExperimentArguments& arguments);

// Finds config errors before LibTorch is loaded, and gives the threads the config asks for. An
// experiment that names plugins is left to the engine.
[[nodiscard]] std::optional<int> check_early(const ExperimentArguments& arguments);

// "data.batch_size=" for every option of an experiment, for the shell's completion.
[[nodiscard]] std::vector<std::string> override_paths(const SchemaInfo& schema);

}  // namespace hearth::cli
