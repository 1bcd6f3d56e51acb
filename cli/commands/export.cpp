// hearth export: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"

namespace hearth::cli {
namespace {

class ExportCommand : public Command {
 public:
  ExportCommand()
      : Command({"export",
                 "Use",
                 "Writes a trained run's weights and config to a folder for use elsewhere.",
                 "RUN FOLDER",
                 {"hearth export runs/digits-1 digits-model",
                  "hearth export runs/digits-1 digits-model --checkpoint last",
                  "hearth export runs/digits-1 weights --names torch"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run, "The run's folder.")->required();
    app.add_option("FOLDER", arguments_.folder, "The folder to write.")->required();
    app.add_option("--checkpoint", arguments_.checkpoint,
                   "best, last, or a checkpoint's name; best if left out.")
        ->type_name("NAME");
    declare_folder(app, arguments_);
    app.add_option("--names", names_,
                   "hearth, or torch: the weights alone, named as PyTorch's model of the "
                   "architecture names them, for other programs; hearth if left out.")
        ->check(one_of_words({"hearth", "torch"}))
        ->type_name("NAMES");
  }

  int run() override {
    arguments_.is_json = is_json();
    arguments_.has_torch_names = names_ == "torch";
    return run_in_engine("export", &arguments_);
  }

 private:
  ExportArguments arguments_;
  std::string names_ = "hearth";
};

}  // namespace

void register_export(Commands& commands) { commands.add(std::make_unique<ExportCommand>()); }

}  // namespace hearth::cli
