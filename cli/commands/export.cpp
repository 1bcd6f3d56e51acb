// hearth export: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"

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
                  "hearth export runs/digits-1 digits-model --checkpoint last"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run, "The run's folder.")->required();
    app.add_option("FOLDER", arguments_.folder, "The folder to write.")->required();
    app.add_option("--checkpoint", arguments_.checkpoint,
                   "best, last, or a checkpoint's file; best if left out.")
        ->type_name("NAME");
  }

  int run() override { return run_in_engine("export", &arguments_); }

 private:
  ExportArguments arguments_;
};

}  // namespace

void register_export(Commands& commands) { commands.add(std::make_unique<ExportCommand>()); }

}  // namespace hearth::cli
