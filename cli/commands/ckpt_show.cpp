// hearth ckpt show: what one checkpoint holds.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "cli/checkpoint_text.h"
#include "cli/command.h"
#include "cli/table.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/json.h"
#include "hearth/format/weight_file.h"

namespace hearth::cli {
namespace {

// Tensors that belong together: "network/models/net/optimizer" of "network/models/net/optimizer/x".
struct CheckpointPart {
  size_t tensors = 0;
  uint64_t numbers = 0;
  uint64_t bytes = 0;
};

std::map<std::string, CheckpointPart> parts_in(const fs::path& path) {
  std::map<std::string, CheckpointPart> parts;
  const WeightFile file = WeightFile::with_all_tensors(path);
  for (const WeightEntry& entry : file.entries()) {
    const size_t slash = entry.name.rfind('/');
    CheckpointPart& part =
        parts[slash == entry.name.npos ? entry.name : entry.name.substr(0, slash)];
    ++part.tensors;
    part.numbers += entry.count();
    part.bytes += entry.bytes();
  }
  return parts;
}

// A value as a person reads it: without quotes around a text.
std::string value_words(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_rows(const std::string& prefix, const Json& record, const char* key, Rows& rows) {
  if (!record.is_object() || !record.contains(key) || !record.at(key).is_object()) return;
  for (const auto& [name, value] : record.at(key).items())
    rows.emplace_back(prefix + name, value_words(value));
}

class CheckpointShowCommand : public Command {
 public:
  CheckpointShowCommand()
      : Command({"ckpt show",
                 "Understand",
                 "Shows what a checkpoint holds: place, metrics, tensors, data, machine.",
                 "CHECKPOINT",
                 {"hearth ckpt show runs/digits-1", "hearth ckpt show runs/digits-1:best",
                  "hearth ckpt show runs/digits-1:120 --json"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("CHECKPOINT", checkpoint_, kCheckpointHelp)->required();
  }

  int run() override {
    const CheckpointFacts facts = checkpoint_facts(checkpoint_called(checkpoint_));
    const auto parts = parts_in(facts.path);
    if (is_json())
      print(json_line(json_of(facts, parts)));
    else
      show(facts, parts);
    return 0;
  }

 private:
  using Parts = std::map<std::string, CheckpointPart>;

  static nlohmann::ordered_json json_of(const CheckpointFacts& facts, const Parts& parts) {
    nlohmann::ordered_json json = checkpoint_json(facts);
    json["tensors"] = nlohmann::ordered_json::array();
    for (const auto& [name, part] : parts)
      json["tensors"].push_back({{"part", name},
                                 {"tensors", part.tensors},
                                 {"numbers", part.numbers},
                                 {"bytes", part.bytes}});
    json["values"] = facts.values;
    return json;
  }

  static void show(const CheckpointFacts& facts, const Parts& parts) {
    Rows rows = {{"place", facts.place()}};
    if (!facts.stop_reason.empty()) rows.emplace_back("stopped", facts.stop_reason);
    for (const auto& [name, value] : facts.metrics)
      if (!name.starts_with("step/")) rows.emplace_back(name, rounded_number(value, 6));
    for (const auto& [name, part] : parts)
      rows.emplace_back(
          name, human_count(part.tensors) + (part.tensors == 1 ? " tensor of " : " tensors of ") +
                    human_count(part.numbers) + " numbers, " + human_bytes(part.bytes));
    const Json run = facts.values.value("run", Json());
    add_rows("data ", run, "data", rows);
    add_rows("", run, "machine", rows);
    print(facts.path.string() + ": " + human_bytes(facts.bytes) + "\n" +
          two_columns(rows, page_width()));
  }

  std::string checkpoint_;
};

}  // namespace

void register_ckpt_show(Commands& commands) {
  commands.add(std::make_unique<CheckpointShowCommand>());
}

}  // namespace hearth::cli
