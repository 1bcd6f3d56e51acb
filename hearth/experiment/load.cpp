// From files and overrides to a checked experiment: read, merge, override, validate, expand,
// defaults.
#include "hearth/experiment/load.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/config/file_digests.h"
#include "hearth/config/merge.h"
#include "hearth/config/path.h"
#include "hearth/config/place.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/experiment/expand.h"
#include "hearth/schedule/schedule.h"

namespace hearth {
namespace {

constexpr uint64_t kConfigLimitBytes = 1 << 20;

// Of an error whose text has its place: the mark only says where it stands among others. A schedule
// inside another one is made with both.
void add_once(std::vector<Fault>& faults, const ConfigError& error, Mark mark) {
  const std::string text = error.what();
  mark.file = nullptr;
  if (std::none_of(faults.begin(), faults.end(),
                   [&](const Fault& fault) { return fault.message == text; }))
    faults.push_back({std::move(mark), "", text});
}

std::vector<Fault> all_faults(const Node& config, const Catalog& catalog, ConfigScope scope) {
  std::vector<Fault> unmade;  // schedules
  const auto range = [&](const Node& schedule) -> std::optional<std::pair<double, double>> {
    try {
      return schedule_range(with_absolute_paths(schedule, TypeOf<Scheduled>::type(), catalog));
    } catch (const ConfigError& error) {
      add_once(unmade, error, schedule.mark());
      return std::nullopt;
    }
  };
  std::vector<Fault> faults =
      validate(with_option_paths(config), catalog.experiment, catalog, range);
  std::vector<Fault> form = check_form(config, scope);
  faults.insert(faults.end(), unmade.begin(), unmade.end());
  // What is missing because it is misspelt was already said at the misspelling.
  faults.insert(faults.end(), form.begin(), form.end());
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& left, const Fault& right) {
    return std::pair(left.mark.line, left.mark.column) <
           std::pair(right.mark.line, right.mark.column);
  });
  return faults;
}

// `model: {resnet: ..., weights: ...}`: weights that stand beside the layer are the shorthand's.
// Both places at once are a fault of a file; what an override gives takes the place of the others.
Node with_lifted_weights(Node config, bool is_overridden = false) {
  Node* model = config.is_map() ? config.find("model") : nullptr;
  if (model == nullptr || !model->is_map() || model->entries().size() != 2) return config;
  const Node* weights = model->find("weights");
  if (weights == nullptr || (config.find("weights") != nullptr && !is_overridden)) return config;
  const Node lifted = *weights;
  model->erase("weights");
  config.set("weights", lifted);
  return config;
}

// By the path that the weights have in the file, too: `model.weights.file=...`.
std::string lifted_override(const std::string& text) {
  constexpr std::string_view kBeside = "model.weights";
  const bool is_meant = text.starts_with(kBeside) && text.size() > kBeside.size() &&
                        std::string_view(".=+").find(text[kBeside.size()]) != std::string::npos;
  return is_meant ? text.substr(std::string_view("model.").size()) : text;
}

}  // namespace

LoadedExperiment load_experiment(Node config, const std::vector<std::string>& overrides,
                                 const Catalog& catalog, ConfigScope scope) {
  config = with_lifted_weights(std::move(config));
  for (const std::string& override_text : overrides)
    config = with_lifted_weights(
        apply_override(config, lifted_override(override_text), catalog.experiment, catalog),
        /*is_overridden=*/true);
  throw_faults(all_faults(config, catalog, scope));
  config = with_option_paths(with_absolute_paths(std::move(config), catalog.experiment, catalog));
  LoadedExperiment loaded;
  loaded.expanded = expand(config);
  throw_faults(all_faults(loaded.expanded, catalog, scope));
  // In the full form the shorthand's own defaults have no place, nor have techniques.
  loaded.effective = without_shorthand(with_defaults(loaded.expanded, catalog.experiment, catalog));
  loaded.effective.erase("techniques");
  loaded.effective = with_digests(std::move(loaded.effective), catalog.experiment, catalog);
  return loaded;
}

LoadedExperiment load_experiment(const std::vector<std::filesystem::path>& files,
                                 const std::vector<std::string>& overrides, const Catalog& catalog,
                                 ConfigScope scope) {
  Node config = Node::map();
  std::string as_written;
  for (const auto& file : files) {
    const std::string text = read_file(file, kConfigLimitBytes);
    as_written += "# " + std::filesystem::absolute(file).string() + "\n" + text +
                  (text.ends_with('\n') ? "" : "\n");
    const Node parsed = with_lifted_weights(parse_yaml(text, file.string()));
    config = files.size() == 1 ? parsed : merge(config, parsed, catalog.experiment, catalog);
  }
  for (const std::string& override_text : overrides)
    as_written += "# override: " + override_text + "\n";
  LoadedExperiment loaded = load_experiment(std::move(config), overrides, catalog, scope);
  loaded.as_written = std::move(as_written);
  return loaded;
}

}  // namespace hearth
