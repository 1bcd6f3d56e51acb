// hearth ckpt ls: the checkpoints of a run.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/checkpoint_text.h"
#include "cli/command.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

std::string checkpoint_row(const CheckpointFacts& facts, size_t width) {
  std::string row = "  " + padded(visible(facts.name), width) + "  ";
  if (!facts.fault.empty()) return row + "damaged: " + facts.fault + "\n";
  row += padded(human_bytes(facts.bytes), 9) + "  " + facts.place();
  for (const auto& [name, value] : facts.metrics)
    if (!name.starts_with("step/")) row += "  " + name + " " + rounded_number(value, 4);
  return row + "\n";
}

class CheckpointListCommand : public Command {
 public:
  CheckpointListCommand()
      : Command({"ckpt ls",
                 "Understand",
                 "Lists a run's checkpoints: where the training stood, what it had measured.",
                 "RUN",
                 {"hearth ckpt ls runs/digits-1", "hearth ckpt ls runs/digits-1 --json"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", run_, "The run's folder.")->required();
  }

  int run() override {
    const std::vector<CheckpointFacts> all = checkpoints_of(run_);
    if (is_json())
      print(json_line(json(all)));
    else
      show(all);
    return 0;
  }

 private:
  [[nodiscard]] nlohmann::ordered_json json(const std::vector<CheckpointFacts>& all) const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const CheckpointFacts& facts : all) list.push_back(checkpoint_json(facts));
    return {{"run", run_}, {"checkpoints", std::move(list)}};
  }

  void show(const std::vector<CheckpointFacts>& all) const {
    size_t width = 4;
    uint64_t bytes = 0;
    for (const CheckpointFacts& facts : all) {
      width = std::max(width, letter_count(visible(facts.name)));
      bytes += facts.bytes;
    }
    print(run_ + ": " + human_count(all.size()) +
          (all.size() == 1 ? " checkpoint" : " checkpoints") + ", " + human_bytes(bytes) + "\n");
    for (const CheckpointFacts& facts : all) print(checkpoint_row(facts, width));
    if (!all.empty()) say_next("hearth ckpt show " + shell_word(run_ + ":" + all.front().name));
  }

  std::string run_;
};

}  // namespace

void register_ckpt_ls(Commands& commands) {
  commands.add(std::make_unique<CheckpointListCommand>());
}

}  // namespace hearth::cli
