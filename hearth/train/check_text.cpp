// What `hearth check` shows, as text and as JSON.
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/train/check_report.h"

namespace hearth {
namespace {

std::string mode_text(const CheckedMode& mode) {
  std::string text = mode.mode;
  if (!mode.is_epoch_start)
    text += " at step " + std::to_string(mode.step);
  else if (mode.epoch > 0)
    text += " from epoch " + std::to_string(mode.epoch) + " on";
  if (mode.batches > 0)
    text += ": " + human_count(static_cast<uint64_t>(mode.samples)) + " samples, " +
            human_count(static_cast<uint64_t>(mode.batches)) + " batches";
  text += "\n";
  for (const CheckedNode& node : mode.nodes) {
    if (!node.pruned.empty()) {
      text += "  - " + node.name + ": does not run, " + node.pruned + "\n";
      continue;
    }
    text += "  * " + node.name;
    if (!node.reads.empty()) text += " reads " + node.reads;
    if (!node.writes.empty()) text += " -> " + node.writes;
    text += "\n";
  }
  return text;
}

std::string shared_text(const CheckReport& report) {
  std::vector<std::string> texts;
  for (const CheckReport::Shared& shared : report.shared)
    texts.push_back(human_bytes(shared.optimizer_bytes) + " with " + std::to_string(shared.ranks) +
                    (shared.ranks == 1 ? " process" : ""));
  return "zero: optimizers remember at most " + join(texts, ", ") + ", in each of them" +
         (report.zero > 1 ? "; gradients of updates are shared out alike" : "") + "\n";
}

}  // namespace

std::string CheckReport::text() const {
  std::string text;
  for (const CheckedMode& mode : modes) text += mode_text(mode) + "\n";
  for (const CheckedModel& model : models) text += join(model.lines, "\n") + "\n\n";
  text += "steps: " + human_count(static_cast<uint64_t>(steps_per_epoch)) + " an epoch, " +
          human_count(static_cast<uint64_t>(total_steps)) + " in all\n";
  text += "memory: " + human_bytes(batch_bytes) + " for batches, about " +
          human_bytes(model_bytes) + " for parameters, gradients and optimizer, about " +
          human_bytes(activation_bytes) + " for what layers give in a step\n";
  if (!shared.empty()) text += shared_text(*this);
  if (ragged_values > 0)
    text += "values of any size: " + std::to_string(ragged_values) +
            " for each sample, in memory that grows as they need it, up to " +
            human_bytes(most_ragged_bytes) + " (data.value_megabytes)\n";
  for (const std::string& line : data) text += line + "\n";
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

Json CheckReport::to_json() const {
  Json json = {{"steps_per_epoch", steps_per_epoch},
               {"total_steps", total_steps},
               {"batch_bytes", batch_bytes},
               {"model_bytes", model_bytes},
               {"activation_bytes", activation_bytes},
               {"ragged_values", ragged_values},
               {"most_ragged_bytes", most_ragged_bytes},
               {"warnings", warnings},
               {"notes", notes},
               {"data", data},
               {"modes", Json::array()},
               {"models", Json::array()}};
  for (const Shared& one : shared)
    json["zero"].push_back(
        {{"processes", one.ranks}, {"optimizer_bytes", one.optimizer_bytes}, {"share", one.share}});
  for (const CheckedMode& mode : modes) {
    Json nodes = Json::array();
    for (const CheckedNode& node : mode.nodes)
      nodes.push_back({{"name", node.name},
                       {"reads", node.reads},
                       {"writes", node.writes},
                       {"pruned", node.pruned}});
    json["modes"].push_back({{"mode", mode.mode},
                             {"epoch", mode.epoch},
                             {"step", mode.step},
                             {"samples", mode.samples},
                             {"batches", mode.batches},
                             {"nodes", nodes}});
  }
  for (const CheckedModel& model : models)
    json["models"].push_back({{"name", model.name}, {"parameters", model.parameters}});
  return json;
}

}  // namespace hearth
