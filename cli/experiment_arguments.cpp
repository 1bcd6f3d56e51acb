// Files and overrides of an experiment on the command line, and their check before LibTorch is
// loaded.
#include "cli/experiment_arguments.h"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "cli/catalog_file.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth::cli {
namespace {

void add_override_paths(const SchemaInfo& schema, const std::string& prefix,
                        std::vector<std::string>& paths) {
  for (const Field& field : schema.fields) {
    if (field.type.kind == TypeKind::kOptions && field.type.options)
      add_override_paths(*field.type.options, prefix + field.name + ".", paths);
    else
      paths.push_back(prefix + field.name + "=");
  }
}

}  // namespace

bool is_override(const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) return false;
  std::error_code ignored;  // what cannot be a name is no file
  return equals < word.find('/') || !std::filesystem::exists(word, ignored);
}

void declare_experiment(CLI::App& app, std::vector<std::string>& words) {
  app.add_option("FILE", words,
                 "YAML files of the experiment, merged in order, mixed with options that win over "
                 "them: train.epochs=3, data.ops[0].normalize.std=0.5, metrics+=accuracy.");
}

void sort_words(const std::vector<std::string>& words, const std::string& command,
                ExperimentArguments& arguments) {
  for (const std::string& word : words)
    (is_override(word) ? arguments.overrides : arguments.files).push_back(word);
  if (arguments.files.empty())
    throw ConfigError("hearth " + command + " needs a file, such as digits.yaml.\n  Try: hearth " +
                      command + " --help");
}

LoadedExperiment load(const ExperimentArguments& arguments, const Catalog& catalog) {
  const std::vector<std::filesystem::path> files(arguments.files.begin(), arguments.files.end());
  return load_experiment(files, arguments.overrides, catalog, arguments.scope);
}

bool names_plugins(const ExperimentArguments& arguments) {
  for (const std::string& text : arguments.overrides)
    if (text.starts_with("plugins")) return true;
  for (const std::string& file : arguments.files) {
    const Node config = load_yaml(file);
    const Node* plugins = config.find("plugins");
    if (plugins != nullptr && (plugins->is_scalar() || !plugins->items().empty())) return true;
  }
  return false;
}

std::optional<int> check_early(const ExperimentArguments& arguments) {
  if (names_plugins(arguments)) return std::nullopt;
  const LoadedExperiment loaded = load(arguments, load_catalog());
  const Node* threads = loaded.effective.find("threads");
  if (threads == nullptr || !threads->is_scalar()) return std::nullopt;
  const std::optional<int64_t> count = read_integer(threads->text());
  return count ? std::optional<int>(static_cast<int>(*count)) : std::nullopt;
}

std::vector<std::string> override_paths(const SchemaInfo& schema) {
  std::vector<std::string> paths;
  add_override_paths(schema, "", paths);
  return paths;
}

}  // namespace hearth::cli
