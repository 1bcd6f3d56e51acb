// hearth replay: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"

namespace hearth::cli {
namespace {

class ReplayCommand : public Command {
 public:
  ReplayCommand()
      : Command(
            {"replay",
             "Understand",
             "Shows one step of a run again: the loss of each sample, norms of layers, pictures.",
             "RUN --step N",
             {"hearth replay runs/digits-1 --step 120",
              "hearth replay runs/digits-1 --step 120 --grid batch.png"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run, "The run's folder; it stays as it is.")->required();
    app.add_option("--step", arguments_.step,
                   "Which step, from 1. It is played from the newest checkpoint before it.")
        ->required()
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--grid", arguments_.grid, "Writes the batch's pictures side by side, as a PNG.")
        ->type_name("FILE");
    declare_folder(app, arguments_);
  }

  int run() override {
    arguments_.is_json = is_json();
    return run_in_engine("replay", &arguments_);
  }

 private:
  ReplayArguments arguments_;
};

}  // namespace

void register_replay(Commands& commands) { commands.add(std::make_unique<ReplayCommand>()); }

}  // namespace hearth::cli
