// hearth evaluate: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"
#include "hearth/base/error.h"

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
                  "hearth evaluate runs/digits-1 --checkpoint last data.batch_size=512",
                  "hearth evaluate runs/digits-1 --follow --best eval/accuracy"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run, "The run's folder.")->required();
    app.add_option("KEY=VALUE", arguments_.overrides,
                   "Options that win over the run's own: data.batch_size=512.");
    app.add_option("--mode", arguments_.mode, "eval, test or train; eval if left out.")
        ->check(one_of_words({"eval", "test", "train"}))
        ->type_name("MODE");
    CLI::Option* checkpoint =
        app.add_option("--checkpoint", arguments_.checkpoint,
                       "best, last, or a checkpoint's name; best if left out.")
            ->type_name("NAME");
    declare_following(app, checkpoint);
    declare_folder(app, arguments_);
  }

  int run() override {
    if (!arguments_.follows && !arguments_.is_once &&
        (arguments_.every != 1 || !arguments_.best.empty()))
      throw ConfigError(
          "--every and --best choose among the checkpoints of a run: add --follow, or --once for "
          "those that are there now.");
    arguments_.is_json = is_json();
    return run_in_engine("evaluate", &arguments_);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  void declare_following(CLI::App& app, CLI::Option* checkpoint) {
    CLI::Option* follow =
        app.add_flag("--follow", arguments_.follows,
                     "Measures each checkpoint as it comes, until the run ends or its process is "
                     "gone; results also go to evaluations.jsonl in its folder, and what stands "
                     "there already is passed over. With --json, a line for each.");
    follow->excludes(checkpoint);
    app.add_flag("--once", arguments_.is_once,
                 "The same for the checkpoints that are there now, and no more.")
        ->excludes(checkpoint)
        ->excludes(follow);
    app.add_option("--every", arguments_.every,
                   "With --follow or --once: so many steps at least from one to the next; the last "
                   "of a run that ended is always measured.")
        ->check(whole_number_from(1))
        ->type_name("STEPS");
    app.add_option("--best", arguments_.best,
                   "With --follow or --once: keeps the best by this metric, such as "
                   "eval/accuracy, as checkpoint best_evaluated.")
        ->type_name("METRIC");
  }

  EvaluateArguments arguments_;
};

}  // namespace

void register_evaluate(Commands& commands) { commands.add(std::make_unique<EvaluateCommand>()); }

}  // namespace hearth::cli
