// What the engine's commands share.
#include "cli/engine/engine.h"

#include <nlohmann/json.hpp>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/plugins.h"

namespace hearth::cli {

// The last file that names plugins wins, as in merging.
void load_plugins_of(const ExperimentArguments& arguments) {
  Node config = Node::map();
  for (const std::string& file : arguments.files) {
    const Node parsed = load_yaml(file);
    if (const Node* plugins = parsed.find("plugins")) config.set("plugins", *plugins);
  }
  load_plugins(config, arguments.overrides);
}

EngineExperiment load_for_engine(const ExperimentArguments& arguments) {
  load_plugins_of(arguments);
  EngineExperiment experiment;
  experiment.loaded = load_experiment(
      std::vector<std::filesystem::path>(arguments.files.begin(), arguments.files.end()),
      arguments.overrides, live_catalog(), arguments.scope);
  experiment.options = ExperimentOptions::schema().read(experiment.loaded.effective);
  return experiment;
}

std::string row_of(const std::string& name, const std::string& value) {
  return "  " + padded(name, 20) + " " + value + "\n";
}

std::string metric_lines(const Report& report) {
  std::string text;
  for (const auto& [name, value] : report.metrics) text += row_of(name, rounded_number(value, 5));
  return text;
}

Json report_json(const Report& report) {
  Json json = {{"epochs", report.epochs},
               {"steps", report.steps},
               {"seconds", report.seconds},
               {"run", report.run_folder},
               {"stop_reason", report.stop_reason},
               {"interrupted", report.was_interrupted},
               {"peak_memory_bytes", report.peak_memory_bytes},
               {"metrics", Json::object()}};
  for (const auto& [name, value] : report.metrics) json["metrics"][name] = value;
  if (report.sent_bytes > 0) json["sent_bytes"] = report.sent_bytes;
  return json;
}

}  // namespace hearth::cli
