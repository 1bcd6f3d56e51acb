// The data of an experiment on the command line.
#include "cli/data_sets.h"

#include <algorithm>

#include "cli/plugin_catalog.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/merge.h"
#include "hearth/config/path.h"
#include "hearth/config/place.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/experiment/options.h"

namespace hearth::cli {
namespace {

// A misspelt `data` or `steps` would otherwise pass for an option of the experiment.
void check_top_level(const Node& config, const Catalog& catalog, bool has_steps) {
  std::vector<std::string> known = catalog.experiment.names();
  if (has_steps) known.emplace_back("steps");
  for (const Node::Entry& entry : config.entries())
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      throw ConfigError("unknown option " + quote(entry.key) + "." + did_you_mean(entry.key, known),
                        entry.mark.place());
}

std::vector<std::pair<std::string, Choice<Source>>> sets_of(const DataOptions& data) {
  std::vector<std::pair<std::string, Choice<Source>>> sets;
  const auto add = [&](const std::string& mode, const NamedChoices<Source>& all) {
    for (const auto& [name, choice] : all.all())
      sets.emplace_back(name.empty() ? mode : mode + "." + name, choice);
  };
  add("train", data.train);
  add("eval", data.eval);
  if (data.test) sets.emplace_back("test", *data.test);
  return sets;
}

}  // namespace

DataFiles load_data_files(const ExperimentArguments& arguments, bool has_steps) {
  const Catalog catalog = catalog_with_plugins_of(arguments);
  DataFiles files;
  Node config = Node::map();
  for (const std::string& file : arguments.files) {
    Node parsed = load_yaml(file);
    check_top_level(parsed, catalog, has_steps);
    if (const Node* steps = parsed.find("steps"))
      files.steps = *steps;
    else
      files.experiments.push_back(shell_word(file));
    parsed.erase("steps");
    config = merge(config, parsed, catalog.experiment, catalog);
  }
  for (const std::string& text : arguments.overrides)
    config = apply_override(config, text, catalog.experiment, catalog);
  const Node* data = config.find("data");
  if (data == nullptr)
    throw ConfigError(arguments.files[0] + ": has no `data`, whose sources are looked at.");
  const Node part = Node::map({{"data", data->mark(), *data}});
  throw_faults(validate_type(*data, catalog.experiment.find("data")->type, "data", catalog));
  const Node placed = with_option_paths(with_absolute_paths(part, catalog.experiment, catalog));
  files.sets = sets_of(DataOptions::schema().read(*placed.find("data")));
  return files;
}

}  // namespace hearth::cli
