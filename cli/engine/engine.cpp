// What the engine's commands share.
#include "cli/engine/engine.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "hearth/config/merge.h"
#include "hearth/config/yaml.h"
#include "hearth/train/live_catalog.h"

namespace hearth::cli {
namespace {

void load_plugins_of(const ExperimentArguments& arguments) {
  for (const std::string& file : arguments.files) load_plugins(load_yaml(file));
  for (const std::string& text : arguments.overrides)
    if (text.starts_with("plugins"))
      load_plugins(
          apply_override(Node::map(), text, ExperimentOptions::schema().info(), live_catalog()));
}

}  // namespace

EngineExperiment load_for_engine(const ExperimentArguments& arguments) {
  load_plugins_of(arguments);
  EngineExperiment experiment;
  experiment.loaded = load_experiment(
      std::vector<std::filesystem::path>(arguments.files.begin(), arguments.files.end()),
      arguments.overrides, live_catalog());
  experiment.options = ExperimentOptions::schema().read(experiment.loaded.effective);
  return experiment;
}

std::string metric_lines(const Report& report) {
  std::string text;
  for (const auto& [name, value] : report.metrics) {
    char line[128];
    std::snprintf(line, sizeof(line), "  %-20s %.5g\n", name.c_str(), value);
    text += line;
  }
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
  for (const auto& [name, value] : report.metrics) {
    if (std::isfinite(value))
      json["metrics"][name] = value;
    else
      json["metrics"][name] = nullptr;
  }
  return json;
}

}  // namespace hearth::cli
