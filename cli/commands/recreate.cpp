// hearth recreate: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"

namespace hearth::cli {
namespace {

class RecreateCommand : public Command {
 public:
  RecreateCommand()
      : Command(
            {"recreate",
             "Understand",
             "Trains a run again from its folder and compares the bits; the exit code is 1 "
             "when they differ.",
             "RUN",
             {"hearth recreate runs/digits-1", "hearth recreate runs/digits-1 --folder again"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run, "The run's folder; it stays as it is.")->required();
    app.add_option("--folder", arguments_.folder,
                   "Where the run is trained again. If left out, in a temporary folder that stays "
                   "only when bits differ.")
        ->type_name("FOLDER");
    app.add_flag("--quiet", arguments_.is_quiet, "Shows no progress.");
  }

  int run() override {
    arguments_.is_json = is_json();
    return run_in_engine("recreate", &arguments_);
  }

 private:
  RecreateArguments arguments_;
};

}  // namespace

void register_recreate(Commands& commands) { commands.add(std::make_unique<RecreateCommand>()); }

}  // namespace hearth::cli
