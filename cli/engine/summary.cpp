// hearth summary: what a model is made of, of a config, a run, or an architecture by itself.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/format/json.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/model_summary.h"
#include "hearth/train/run_config.h"
#include "hearth/train/run_folder.h"

namespace hearth::cli {

namespace {

// "3x224x224", "28", or "64t" for 64 tokens.
Spec input_spec(const SummaryArguments& arguments) {
  Spec spec;
  std::string text = arguments.input;
  if (text.ends_with('t')) {
    text.pop_back();
    spec.dtype = DType::kInt64;
    spec.role = Role::kTokens;
    spec.classes = arguments.classes;
  }
  for (const std::string& part : split(text, 'x')) {
    const auto length = read_integer(part);
    if (!length || *length < 1)
      throw ConfigError(
          "--input must be lengths such as 3x224x224, 28, or 64t for tokens, but is " +
          quote(arguments.input) + ".");
    spec.shape.push_back(*length);
  }
  return spec;
}

// depth=50 as an option of the layer.
Choice<Layer> layer_of(const SummaryArguments& arguments) {
  Node options = Node::map();
  for (const std::string& word : arguments.more) {
    const size_t equals = word.find('=');
    if (equals == word.npos)
      throw ConfigError("options of " + arguments.target + " are written as depth=50, but " +
                        quote(word) + " came.");
    options.set(word.substr(0, equals), parse_yaml(word.substr(equals + 1), "command line"));
  }
  Node layer = Node::map();
  layer.set(arguments.target, std::move(options));
  const Catalog catalog = live_catalog();
  const Type type = TypeOf<Choice<Layer>>::type();
  throw_faults(validate_type(layer, type, "", catalog));
  return TypeOf<Choice<Layer>>::read(layer);
}

std::vector<ModelSummary> summaries_of(const SummaryArguments& arguments) {
  const SummarySettings settings{arguments.svg, arguments.dot};
  const fs::path target = arguments.target;
  if (fs::is_directory(target)) {
    std::vector<std::string> overrides = arguments.more;
    if (arguments.batch_size > 0)
      overrides.push_back("data.batch_size=" + std::to_string(arguments.batch_size));
    const Node config = config_of(RunFolder::open(target), overrides);
    return summarize(ExperimentOptions::schema().read(config), config, settings);
  }
  const std::vector<std::string> layers = registry<Layer>().names();
  if (std::ranges::find(layers, arguments.target) != layers.end() && !is_there(target)) {
    if (arguments.input.empty())
      throw ConfigError("--input is missing: say what " + arguments.target +
                        " takes, such as --input 3x224x224.");
    return {summarize(layer_of(arguments), input_spec(arguments), arguments.classes,
                      std::max<int64_t>(arguments.batch_size, 1), settings)};
  }
  if (!is_there(target) && !target.has_extension()) {
    const auto near = nearest(arguments.target, layers);
    throw ConfigError("There is no config, run or architecture " + quote(arguments.target) + "." +
                      (near ? " Did you mean " + quote(*near) + "?" : "") +
                      "\n  Try: hearth list layer");
  }
  ExperimentArguments experiment;
  experiment.files = {arguments.target};
  for (const std::string& word : arguments.more)
    (word.find('=') == word.npos ? experiment.files : experiment.overrides).push_back(word);
  if (arguments.batch_size > 0)
    experiment.overrides.push_back("data.batch_size=" + std::to_string(arguments.batch_size));
  const EngineExperiment loaded = load_for_engine(experiment);
  return summarize(loaded.options, loaded.loaded.effective, settings);
}

}  // namespace

extern "C" int hearth_command_summary(const void* given) {
  const auto& arguments = *static_cast<const SummaryArguments*>(given);
  const std::vector<ModelSummary> summaries = summaries_of(arguments);
  if (arguments.is_json) {
    Json models = Json::array();
    for (const ModelSummary& summary : summaries)
      models.push_back(summary.to_json(arguments.depth));
    print(json_line(Json{{"models", std::move(models)}}));
    return 0;
  }
  for (const ModelSummary& summary : summaries) print(summary.text(arguments.depth) + "\n");
  for (const std::string& file : {arguments.svg, arguments.dot})
    if (!file.empty()) print_note("the drawing is in " + file + ".");
  return 0;
}

}  // namespace hearth::cli
