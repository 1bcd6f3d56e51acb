// hearth ckpt average: the mean of the weights of several checkpoints.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/checkpoint_text.h"
#include "cli/command.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/file_name.h"
#include "hearth/format/array_names.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/json.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/format/state_file.h"
#include "hearth/format/weight_mean.h"

namespace hearth::cli {
namespace {

// The weights of a model, or their running average: network/models/net/model/0.weight.
bool is_weight(std::string_view name) {
  if (!name.starts_with("network/models/")) return false;
  const std::string_view part = name.substr(0, name.rfind('/'));
  return part.ends_with("/model") || part.ends_with("/average");
}

// As the last of them, but for its weights.
void write_checkpoint(const fs::path& target, const WeightMean& mean, const fs::path& last) {
  std::vector<TensorView> views;
  for (const WeightView& tensor : mean.tensors)
    views.push_back(
        {tensor.name, std::string(names_of(tensor.type).safetensors), tensor.shape, tensor.data});
  write_safetensors(target, std::move(views), {.metadata = StateFile(last).tensors().metadata()});
}

class CheckpointAverageCommand : public Command {
 public:
  CheckpointAverageCommand()
      : Command({"ckpt average",
                 "Use",
                 "Averages the weights of checkpoints, into a checkpoint of the run or a file.",
                 "CHECKPOINT...",
                 {"hearth ckpt average runs/digits-1 --name averaged",
                  "hearth evaluate runs/digits-1 --checkpoint averaged",
                  "hearth ckpt average runs/a:best runs/b:best --to mean.safetensors"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("CHECKPOINT", words_,
                   "RUN:NAME or files, two at least; or one run's folder, for all of its "
                   "checkpoints of steps.")
        ->required();
    auto* name = app.add_option("--name", name_,
                                "Saves it beside the last of them under this name; what else it "
                                "holds is the last one's.")
                     ->type_name("NAME");
    app.add_option("--to", target_, "Writes the weights alone: .safetensors, .pt, .pth or .npz.")
        ->excludes(name)
        ->type_name("FILE");
    app.add_flag("--force", is_forced_, "Replaces what is there.");
  }

  int run() override {
    if (name_.empty() && target_.empty())
      throw ConfigError("say where to put it: --name NAME or --to FILE.");
    const std::vector<fs::path> paths = checkpoints();
    for (const fs::path& path : paths)
      if (const std::string fault = checkpoint_fault(path); !fault.empty()) throw DataError(fault);
    const WeightMean mean = name_.empty() ? write_file(paths) : save_named(paths);
    if (is_json())
      print(json_line(nlohmann::ordered_json{
          {"file", target_}, {"checkpoints", paths.size()}, {"averaged", mean.averaged}}));
    else
      print(target_ + " holds the mean of " + human_count(mean.averaged) + " tensors of " +
            human_count(paths.size()) + " checkpoints.\n");
    if (!is_json() && !name_.empty())
      say_next("hearth evaluate " + shell_word(paths.back().parent_path().parent_path().string()) +
               " --checkpoint " + name_);
    return 0;
  }

 private:
  // Oldest first: the last one gives all that is not averaged.
  [[nodiscard]] std::vector<fs::path> checkpoints() const {
    std::vector<fs::path> paths;
    const fs::path folder = fs::path(words_.front()) / "checkpoints";
    if (words_.size() == 1 && fs::is_directory(folder)) {
      paths = step_checkpoints(folder);
      std::reverse(paths.begin(), paths.end());
    } else {
      for (const std::string& word : words_) paths.push_back(checkpoint_called(word));
    }
    if (paths.size() < 2)
      throw ConfigError("a mean needs two checkpoints at least, but " + join(words_, " ") +
                        " names " + std::to_string(paths.size()) + ".");
    return paths;
  }

  void check_free(const fs::path& target) const {
    if (!is_forced_ && is_there(target))
      throw ConfigError(target.string() + " is there already. Say another, or --force.");
  }

  [[nodiscard]] WeightMean write_file(const std::vector<fs::path>& paths) const {
    const std::string format = weight_format_of(target_);
    check_free(target_);
    const std::vector<WeightFile> files(paths.begin(), paths.end());
    WeightMean mean = weight_mean(files, [](std::string_view) { return true; });
    write_weights(target_, format, mean.tensors);
    return mean;
  }

  [[nodiscard]] WeightMean save_named(const std::vector<fs::path>& paths) {
    if (const auto fault = name_fault(name_, NameRule::kCheckpoint))
      throw ConfigError("--name " + *fault);
    const fs::path target = paths.back().parent_path() / (name_ + kCheckpointEnding);
    check_free(target);
    target_ = target.string();
    std::vector<WeightFile> files;
    for (const fs::path& path : paths) files.push_back(WeightFile::with_all_tensors(path));
    WeightMean mean = weight_mean(files, is_weight);
    write_checkpoint(target, mean, paths.back());
    return mean;
  }

  std::vector<std::string> words_;
  std::string name_;
  std::string target_;
  bool is_forced_ = false;
};

}  // namespace

void register_ckpt_average(Commands& commands) {
  commands.add(std::make_unique<CheckpointAverageCommand>());
}

}  // namespace hearth::cli
