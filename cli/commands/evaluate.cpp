// hearth evaluate: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"

namespace hearth::cli {
namespace {

class EvaluateCommand : public Command {
 public:
  EvaluateCommand()
      : Command({"evaluate",
                 "Train",
                 "Measures a trained run on its eval, test or train data.",
                 "RUN [KEY=VALUE...]",
                 {"hearth evaluate runs/digits-1", "hearth evaluate runs/digits-1 --mode test",
                  "hearth evaluate runs/digits-1 --checkpoint last data.batch_size=512"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run, "The run's folder.")->required();
    app.add_option("KEY=VALUE", arguments_.overrides,
                   "Options that win over the run's own: data.batch_size=512.");
    app.add_option("--mode", arguments_.mode, "eval, test or train; eval if left out.")
        ->check(one_of_words({"eval", "test", "train"}))
        ->type_name("MODE");
    app.add_option("--checkpoint", arguments_.checkpoint,
                   "best, last, or a checkpoint's name; best if left out.")
        ->type_name("NAME");
    declare_folder(app, arguments_);
  }

  int run() override {
    arguments_.is_json = is_json();
    return run_in_engine("evaluate", &arguments_);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  EvaluateArguments arguments_;
};

}  // namespace

void register_evaluate(Commands& commands) { commands.add(std::make_unique<EvaluateCommand>()); }

}  // namespace hearth::cli
