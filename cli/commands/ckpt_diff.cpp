// hearth ckpt diff: what two checkpoints do not have in common.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/checkpoint_text.h"
#include "cli/command.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/differences.h"
#include "hearth/config/yaml.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/json.h"
#include "hearth/format/weight_statistics.h"

namespace hearth::cli {
namespace {

constexpr const char* kThan = " in the first, ";
constexpr const char* kThat = " in the second";

// Of tensors whose names have all but the last word in common.
struct PartDifference {
  size_t tensors = 0;
  size_t differing = 0;
  size_t reshaped = 0;  // those in only one of the two included
  double largest = 0;
  std::string largest_name;  // empty where none has numbers to compare

  [[nodiscard]] std::string text() const {
    std::string text = human_count(differing) + " of " + human_count(tensors) + " tensors differ";
    if (!largest_name.empty())
      text += ", " + visible(largest_name) + " most: by " + shortest_number(largest);
    if (reshaped > 0) text += ", " + human_count(reshaped) + " by size or by being in one alone";
    return text;
  }
};

std::map<std::string, PartDifference> by_part(const std::vector<WeightDifference>& all) {
  std::map<std::string, PartDifference> parts;
  for (const WeightDifference& difference : all) {
    const size_t slash = difference.name.rfind('/');
    PartDifference& part =
        parts[slash == difference.name.npos ? difference.name : difference.name.substr(0, slash)];
    ++part.tensors;
    if (difference.is_equal()) continue;
    ++part.differing;
    if (!difference.has_same_shape()) {
      ++part.reshaped;
      continue;
    }
    if (!part.largest_name.empty() && difference.largest <= part.largest) continue;
    part.largest = difference.largest;
    part.largest_name = difference.name.substr(slash + 1);
  }
  return parts;
}

std::string said(const Json* value) {
  if (value == nullptr) return "not there";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

// "data train: a in the first, b in the second", for each entry of two objects that differs.
void compare_entries(const std::string& prefix, const Json& left, const Json& right,
                     std::vector<std::string>& lines) {
  std::map<std::string, std::pair<const Json*, const Json*>> entries;
  if (left.is_object())
    for (const auto& [name, value] : left.items()) entries[name].first = &value;
  if (right.is_object())
    for (const auto& [name, value] : right.items()) entries[name].second = &value;
  for (const auto& [name, pair] : entries) {
    const auto& [first, second] = pair;
    if (first != nullptr && second != nullptr && *first == *second) continue;
    lines.push_back(prefix + name + ": " + said(first) + kThan + said(second) + kThat);
  }
}

Json at_path(const Json& values, const char* path) {
  return values.value(Json::json_pointer(path), Json());
}

// Place, metrics, config, data and machine, a line each.
std::vector<std::string> value_lines(const CheckpointFacts& left, const CheckpointFacts& right) {
  std::vector<std::string> lines;
  if (left.place() != right.place())
    lines.push_back("place: " + left.place() + kThan + right.place() + kThat);
  compare_entries("", Json(left.metrics), Json(right.metrics), lines);
  const auto config_of = [](const CheckpointFacts& facts) {
    const Json text = at_path(facts.values, "/origin/config");
    return text.is_string() ? parse_yaml(text.get<std::string>(), facts.path.string())
                            : Node::map();
  };
  for (const std::string& line : config_differences(config_of(left), config_of(right)))
    lines.push_back("config: " + line);
  compare_entries("data ", at_path(left.values, "/run/data"), at_path(right.values, "/run/data"),
                  lines);
  compare_entries("machine ", at_path(left.values, "/run/machine"),
                  at_path(right.values, "/run/machine"), lines);
  return lines;
}

class CheckpointDiffCommand : public Command {
 public:
  CheckpointDiffCommand()
      : Command({"ckpt diff",
                 "Understand",
                 "Compares two checkpoints: place, metrics, config, data, machine, every tensor; "
                 "the exit code is 1 when they differ.",
                 "CHECKPOINT CHECKPOINT",
                 {"hearth ckpt diff runs/digits-1:best runs/digits-1",
                  "hearth ckpt diff runs/digits-1 runs/digits-2"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("FIRST", left_, kCheckpointHelp)->required();
    app.add_option("SECOND", right_, "Another one, of the same run or not.")->required();
  }

  int run() override {
    const CheckpointFacts left = checkpoint_facts(checkpoint_called(left_));
    const CheckpointFacts right = checkpoint_facts(checkpoint_called(right_));
    const std::vector<std::string> lines = value_lines(left, right);
    const WeightFile left_file = WeightFile::with_all_tensors(left.path);
    const WeightFile right_file = WeightFile::with_all_tensors(right.path);
    const auto tensors = differences(left_file, right_file);
    const auto equal = static_cast<size_t>(std::count_if(
        tensors.begin(), tensors.end(), [](const auto& each) { return each.is_equal(); }));
    if (is_json())
      print(json_line(json_of(lines, tensors, equal)));
    else
      show(lines, tensors, equal);
    return lines.empty() && equal == tensors.size() ? 0 : 1;
  }

 private:
  static nlohmann::ordered_json json_of(const std::vector<std::string>& lines,
                                        const std::vector<WeightDifference>& tensors,
                                        size_t equal) {
    nlohmann::ordered_json json = {
        {"equal", equal}, {"differing", tensors.size() - equal}, {"values", lines}};
    json["tensors"] = nlohmann::ordered_json::array();
    for (const WeightDifference& each : tensors)
      if (!each.is_equal())
        json["tensors"].push_back({{"name", each.name},
                                   {"differing", each.differing},
                                   {"largest", each.largest},
                                   {"is_in_both", each.has_same_shape()}});
    return json;
  }

  static void show(const std::vector<std::string>& lines,
                   const std::vector<WeightDifference>& tensors, size_t equal) {
    for (const std::string& line : lines) print("  " + visible(line) + "\n");
    for (const auto& [name, part] : by_part(tensors))
      if (part.differing > 0) print("  " + visible(name) + ": " + part.text() + "\n");
    print(human_count(equal) + " of " + human_count(tensors.size()) + " tensors are equal.\n");
  }

  std::string left_;
  std::string right_;
};

}  // namespace

void register_ckpt_diff(Commands& commands) {
  commands.add(std::make_unique<CheckpointDiffCommand>());
}

}  // namespace hearth::cli
