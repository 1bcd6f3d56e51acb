// hearth bisect: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/folder_arguments.h"

namespace hearth::cli {
namespace {

class BisectCommand : public Command {
 public:
  BisectCommand()
      : Command({"bisect",
                 "Understand",
                 "Finds the first step at which two runs differ, and the first op in it; the exit "
                 "code is 1 when they do.",
                 "RUN RUN",
                 {"hearth bisect runs/digits-1 runs/digits-2"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("FIRST", arguments_.first, "A run's folder; it stays as it is.")->required();
    app.add_option("SECOND", arguments_.second, "Another run's folder.")->required();
    declare_folder(app, arguments_);
  }

  int run() override {
    arguments_.is_json = is_json();
    return run_in_engine("bisect", &arguments_);
  }

 private:
  BisectArguments arguments_;
};

}  // namespace

void register_bisect(Commands& commands) { commands.add(std::make_unique<BisectCommand>()); }

}  // namespace hearth::cli
