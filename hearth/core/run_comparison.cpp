// How far two runs have the same bits.
#include "hearth/core/run_comparison.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/differences.h"
#include "hearth/config/yaml.h"
#include "hearth/core/checkpoint_facts.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/json.h"
#include "hearth/format/weight_statistics.h"

namespace hearth {
namespace {

constexpr uint64_t kMachineFileBytes = 1 << 20;

std::string either(const Json& first, const Json& second) {
  return " is " + first.dump() + " in the first, " + second.dump() + " in the second";
}

// The values or details of an event as one object.
Json event_values(const Event& event) {
  Json json = event.details.is_object() ? event.details : Json::object();
  const Json line = Json::parse(to_line(event));
  if (line.contains("values")) json.update(line.at("values"));
  return json;
}

std::optional<std::string> event_difference(const Event& first, const Event& second) {
  const Json left = event_values(first);
  const Json right = event_values(second);
  if (left == right) return std::nullopt;
  for (const auto& [key, value] : left.items())
    if (right.contains(key) && right.at(key) != value)
      return first.kind + ": " + quote(key) + either(value, right.at(key));
  return first.kind + ": other values in the first than in the second";
}

// Events by kind, step and their order among those.
using EventKey = std::tuple<int64_t, std::string, size_t>;
std::map<EventKey, Event> events_by_key(const fs::path& log) {
  std::map<EventKey, Event> events;
  std::map<std::pair<int64_t, std::string>, size_t> counts;
  if (!is_there(log)) return events;
  for (Event& event : read_run_log(log)) {
    const size_t number = counts[{event.step, event.kind}]++;
    events.emplace(EventKey{event.step, event.kind, number}, std::move(event));
  }
  return events;
}

void compare_logs(const fs::path& first, const fs::path& second, RunComparison& found) {
  const auto left = events_by_key(first / "log.jsonl");
  const auto right = events_by_key(second / "log.jsonl");
  for (const auto& [key, event] : left) {
    const auto same = right.find(key);
    if (same == right.end()) continue;
    ++found.events;
    found.ledger_entries += event.kind == "ledger" ? 1 : 0;
    found.last_step = std::max(found.last_step, event.step);
    if (found.log) continue;
    if (const auto difference = event_difference(event, same->second))
      found.log = LogDifference{event.step, *difference};
  }
  found.lone_events = left.size() + right.size() - 2 * found.events;
}

std::optional<std::string> checkpoint_difference(const fs::path& first, const fs::path& second) {
  const WeightFile left = WeightFile::with_all_tensors(first);
  const WeightFile right = WeightFile::with_all_tensors(second);
  std::vector<WeightDifference> found = differences(left, right);
  std::erase_if(found, [](const WeightDifference& each) { return each.is_equal(); });
  if (found.empty()) return std::nullopt;
  // What a metric measured follows from the network.
  const auto in_network = std::ranges::find_if(
      found, [](const WeightDifference& each) { return each.name.starts_with("network/"); });
  const WeightDifference& shown = in_network == found.end() ? found.front() : *in_network;
  return first.stem().string() + ": the tensor " + quote(shown.name) + " differs" +
         (shown.has_same_shape() ? ", by " + shortest_number(shown.largest) : "");
}

std::vector<CheckpointFacts> readable_checkpoints(const fs::path& run) {
  if (!fs::is_directory(run / "checkpoints")) return {};
  std::vector<CheckpointFacts> all = checkpoints_of(run);
  std::erase_if(all, [](const CheckpointFacts& facts) { return !facts.fault.empty(); });
  return all;
}

void compare_checkpoints(const fs::path& first, const fs::path& second, RunComparison& found) {
  const std::vector<CheckpointFacts> right = readable_checkpoints(second);
  for (const CheckpointFacts& facts : readable_checkpoints(first)) {
    const auto same = std::ranges::find_if(right, [&](const CheckpointFacts& other) {
      return other.name == facts.name && other.step == facts.step;
    });
    if (same == right.end()) continue;
    ++found.checkpoints;
    if (const auto difference = checkpoint_difference(facts.path, same->path))
      found.checkpoint_differences.push_back(*difference);
  }
}

// Where it is, and what it is called, is no matter of bits.
Node config_without_place(const fs::path& run) {
  const fs::path file = run / "config.yaml";
  if (!is_there(file))
    throw DataError(run.string() + " is not a run folder: it has no config.yaml.");
  Node config = load_yaml(file);
  for (const char* key : {"folder", "name"})
    if (config.find(key) != nullptr) config.erase(key);
  return config;
}

Json machine_in(const fs::path& run) {
  const fs::path file = run / "machine.json";
  if (!is_there(file)) return Json::object();
  return parse_json(read_file(file, kMachineFileBytes), file.string());
}

Json data_in(const fs::path& run) {
  const std::vector<CheckpointFacts> all = readable_checkpoints(run);
  if (all.empty()) return Json::object();
  return all.front().values.value(Json::json_pointer("/run/data"), Json::object());
}

std::vector<std::string> entry_differences(const Json& first, const Json& second) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : first.items())
    if (second.contains(key) && second.at(key) != value)
      lines.push_back(key + either(value, second.at(key)));
  return lines;
}

}  // namespace

RunComparison compare_runs(const fs::path& first, const fs::path& second) {
  RunComparison found;
  for (const std::string& line :
       config_differences(config_without_place(first), config_without_place(second)))
    found.config.push_back(line);
  found.data = entry_differences(data_in(first), data_in(second));
  found.machine = entry_differences(machine_in(first), machine_in(second));
  compare_logs(first, second, found);
  compare_checkpoints(first, second, found);
  return found;
}

Json RunComparison::to_json() const {
  Json json = {{"is_equal", is_equal()},
               {"events", events},
               {"ledger_entries", ledger_entries},
               {"lone_events", lone_events},
               {"last_step", last_step},
               {"checkpoints", checkpoints},
               {"checkpoint_differences", checkpoint_differences},
               {"config", config},
               {"data", data},
               {"machine", machine}};
  if (log) json["first_difference"] = {{"step", log->step}, {"what", log->what}};
  return json;
}

std::string RunComparison::text() const {
  std::string text = "  log          " + human_count(events) + " events in both, " +
                     human_count(ledger_entries) + " of them in the ledger: " +
                     (log ? "they differ from step " + std::to_string(log->step) + " on\n" +
                                "               " + log->what
                          : "the same up to step " + std::to_string(last_step)) +
                     "\n";
  text += "  checkpoints  " + human_count(checkpoints - checkpoint_differences.size()) + " of " +
          human_count(checkpoints) + " in both have the same bits\n";
  const auto add = [&](const char* title, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += std::string("  ") + title + line + "\n";
  };
  add("             ", checkpoint_differences);
  add("config       ", config);
  add("data         ", data);
  add("machine      ", machine);
  return text;
}

}  // namespace hearth
