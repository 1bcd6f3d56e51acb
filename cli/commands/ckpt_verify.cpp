// hearth ckpt verify: whether checkpoints are whole, every byte of them.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "cli/checkpoint_text.h"
#include "cli/command.h"
#include "hearth/base/error.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// All of a run, or the one that the word names.
std::vector<fs::path> paths_to_verify(const std::string& word) {
  const fs::path folder = fs::path(word) / "checkpoints";
  if (!fs::is_directory(folder)) return {checkpoint_called(word)};
  std::vector<fs::path> paths = step_checkpoints(folder);
  const std::vector<fs::path> named = named_checkpoints(folder);
  paths.insert(paths.end(), named.begin(), named.end());
  return paths;
}

class CheckpointVerifyCommand : public Command {
 public:
  CheckpointVerifyCommand()
      : Command({"ckpt verify",
                 "Understand",
                 "Reads checkpoints whole and compares their digests; the exit code is 1 when one "
                 "is damaged.",
                 "RUN...",
                 {"hearth ckpt verify runs/digits-1", "hearth ckpt verify runs/digits-1:best",
                  "hearth ckpt verify runs/*"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", words_, "Runs' folders for all of their checkpoints, RUN:NAME, or files.")
        ->required();
  }

  int run() override {
    size_t damaged = 0;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::vector<fs::path> paths;
    for (const std::string& word : words_)
      for (const fs::path& path : paths_to_verify(word)) paths.push_back(path);
    if (paths.empty()) throw DataError(join(words_, ", ") + ": there is no checkpoint yet.");
    for (const fs::path& path : paths) {
      show_passing({"reading " + path.string()});
      const std::string fault = checkpoint_fault(path);
      damaged += fault.empty() ? 0 : 1;
      list.push_back({{"file", path.string()}, {"is_whole", fault.empty()}, {"fault", fault}});
      if (!is_json())
        print("  " + visible(path.string()) +
              (fault.empty() ? ": whole\n" : ": DAMAGED: " + fault + "\n"));
    }
    if (is_json())
      print(json_line(nlohmann::ordered_json{{"damaged", damaged}, {"checkpoints", list}}));
    else
      print(human_count(paths.size() - damaged) + " of " + human_count(paths.size()) +
            " checkpoints are whole.\n");
    return damaged == 0 ? 0 : 1;
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

void register_ckpt_verify(Commands& commands) {
  commands.add(std::make_unique<CheckpointVerifyCommand>());
}

}  // namespace hearth::cli
