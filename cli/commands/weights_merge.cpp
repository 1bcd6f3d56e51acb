// hearth weights merge: what was learned beside a model comes back to its weights.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/format/lora_merge.h"

namespace hearth::cli {
namespace {

class WeightsMergeCommand : public Command {
 public:
  WeightsMergeCommand()
      : Command(
            {"weights merge",
             "Use",
             "Adds what lora learned to the weights it stands beside, for the plain model; joins "
             "other parts, such as adapters, with the weights they belong to.",
             "RUN TARGET",
             {"hearth weights merge runs/lora-1 merged.safetensors",
              "hearth weights merge lora.safetensors merged.pt --base gpt.safetensors",
              "hearth weights merge adapters.safetensors whole.pt --base gpt.safetensors"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", parts_, "The run's folder, or a file that holds the parts.")->required();
    app.add_option("TARGET", target_, "The file to write: .safetensors, .pt, .pth or .npz.")
        ->required();
    app.add_option("--base", base_, "The weights to add them to; if left out, those in RUN.")
        ->type_name("FILE");
    app.add_flag("--force", is_forced_, "Replaces a file that is there.");
  }

  int run() override {
    const std::string format = weight_format_of(target_);
    if (!is_forced_ && is_there(target_))
      throw ConfigError(target_ + " is there already. Name another file, or say --force.");
    const WeightFile parts(parts_);
    const WeightFile base(base_.empty() ? parts_ : base_);
    const MergedWeights merged = merged_weights(base, parts);
    write_weights(target_, format, merged.tensors);
    if (is_json())
      print(json_line(nlohmann::ordered_json{{"file", target_},
                                             {"format", format},
                                             {"tensors", merged.tensors.size()},
                                             {"merged", merged.merged},
                                             {"joined", merged.joined}}));
    else
      print(target_ + " holds " + human_count(merged.tensors.size()) + " tensors; to " +
            human_count(merged.merged.size()) + " of them what was learned is added, " +
            human_count(merged.joined.size()) + " come from " + parts.path().string() + ".\n");
    return 0;
  }

 private:
  std::string parts_;
  std::string base_;
  std::string target_;
  bool is_forced_ = false;
};

}  // namespace

void register_weights_merge(Commands& commands) {
  commands.add(std::make_unique<WeightsMergeCommand>());
}

}  // namespace hearth::cli
