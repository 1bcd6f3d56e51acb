// hearth weights show: what a file of weights holds.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "hearth/base/letters.h"
#include "hearth/base/pattern.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/json.h"
#include "hearth/format/weight_statistics.h"

namespace hearth::cli {
namespace {

constexpr size_t kMostNameWidth = 60;

nlohmann::ordered_json json_of(const WeightEntry& entry, const WeightStatistics& numbers) {
  nlohmann::ordered_json json = {{"name", entry.name},   {"dtype", name_of(entry.type)},
                                 {"shape", entry.shape}, {"bytes", entry.bytes()},
                                 {"mean", numbers.mean}, {"std", numbers.deviation},
                                 {"min", numbers.least}, {"max", numbers.most},
                                 {"nan", numbers.nan},   {"infinite", numbers.infinite}};
  if (!entry.shares.empty()) json["shares"] = entry.shares;
  return json;
}

std::string row_of(const WeightEntry& entry, const WeightStatistics& numbers, size_t width) {
  std::string row = "  " + padded(visible(entry.name), width) + "  " + padded(text_of(entry), 28) +
                    "  " + padded(human_bytes(entry.bytes()), 9);
  if (numbers.finite > 0)
    row += "  mean " + padded(rounded_number(numbers.mean, 4), 9) + "  std " +
           padded(rounded_number(numbers.deviation, 4), 8) + "  " +
           rounded_number(numbers.least, 4) + " to " + rounded_number(numbers.most, 4);
  if (numbers.nan > 0) row += "  " + human_count(numbers.nan) + " NaN";
  if (numbers.infinite > 0) row += "  " + human_count(numbers.infinite) + " infinite";
  if (!entry.shares.empty()) row += "  (memory of " + visible(entry.shares) + ")";
  return row + "\n";
}

class WeightsShowCommand : public Command {
 public:
  WeightsShowCommand()
      : Command({"weights show",
                 "Understand",
                 "Shows what a file of weights holds: names, shapes, what the numbers are like.",
                 "FILE",
                 {"hearth weights show resnet50.pth", "hearth weights show runs/digits-1",
                  "hearth weights show model.safetensors --only 'layer1.*'"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("FILE", file_,
                   "A file (safetensors, .pt, .pth, .npz, by its content) or the folder of a run "
                   "or an exported model.")
        ->required();
    app.add_option("--only", pattern_, "Names that fit this pattern alone.")->type_name("PATTERN");
  }

  int run() override {
    const WeightFile file(file_);
    if (is_json())
      show_json(file);
    else
      show(file);
    return 0;
  }

 private:
  [[nodiscard]] std::vector<const WeightEntry*> wanted(const WeightFile& file) const {
    std::vector<const WeightEntry*> entries;
    for (const WeightEntry& entry : file.entries())
      if (pattern_.empty() || matches(pattern_, entry.name)) entries.push_back(&entry);
    return entries;
  }

  void show_json(const WeightFile& file) const {
    nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
    for (const WeightEntry* entry : wanted(file))
      tensors.push_back(json_of(*entry, statistics_of(file, *entry)));
    nlohmann::ordered_json json = {{"file", file.path().string()},
                                   {"format", file.format()},
                                   {"tensors", std::move(tensors)},
                                   {"values", file.values()}};
    print(json_line(json));
  }

  void show(const WeightFile& file) const {
    const auto entries = wanted(file);
    size_t width = 4;
    uint64_t count = 0;
    uint64_t bytes = 0;
    for (const WeightEntry* entry : entries) {
      width = std::max(width, std::min(letter_count(visible(entry->name)), kMostNameWidth));
      count += entry->count();
      bytes += entry->bytes();
    }
    print(file.path().string() + ": " + file.format() + ", " + human_count(entries.size()) +
          " tensors of " + human_count(count) + " numbers, " + human_bytes(bytes) + "\n");
    for (const WeightEntry* entry : entries)
      print(row_of(*entry, statistics_of(file, *entry), width));
    const auto values = file.values();
    if (!values.empty() && pattern_.empty())
      print("  and " + human_count(values.size()) + " values beside them (--json shows them)\n");
  }

  std::string file_;
  std::string pattern_;
};

}  // namespace

void register_weights_show(Commands& commands) {
  commands.add(std::make_unique<WeightsShowCommand>());
}

}  // namespace hearth::cli
