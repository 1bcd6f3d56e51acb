// hearth find lr: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/find_arguments.h"
#include "cli/flag_checks.h"

namespace hearth::cli {
namespace {

class FindLearningRateCommand : public Command {
 public:
  FindLearningRateCommand()
      : Command({"find lr",
                 "Understand",
                 "Tries rising learning rates on a copy, draws the loss over them, and suggests "
                 "one.",
                 "FILE... | RUN [KEY=VALUE...]",
                 {"hearth find lr digits.yaml", "hearth find lr digits.yaml --out found",
                  "hearth find lr runs/digits-1 --from 1e-8 --to 1",
                  "hearth find lr gan.yaml --optimizer generator --loss generator_loss"}}) {}

  void declare(CLI::App& app) override {
    declare_find(app, words_, arguments_);
    app.add_option("--from", arguments_.from, "The lowest rate; 1e-6 if left out.")
        ->check(number_between(1e-30, 1e6))
        ->type_name("RATE");
    app.add_option("--to", arguments_.to,
                   "The highest rate, unless the loss diverges before; 10 if left out.")
        ->check(number_between(1e-30, 1e6))
        ->type_name("RATE");
    app.add_option("--steps", arguments_.steps,
                   "How many rates, a step each; 100 if left out. More steps, less noise.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--optimizer", arguments_.optimizer,
                   "Whose rate to try: MODEL or MODEL/OPTIMIZER; the others follow their "
                   "schedules. Left out: all, each by the same factor.")
        ->type_name("NAME");
    app.add_option("--loss", arguments_.loss,
                   "Which loss to look at. Left out: all that updates read, added up.")
        ->type_name("KEY");
    app.add_option("--smooth", arguments_.smooth,
                   "How much of a neighbour's average the smooth curve keeps, from 0 to below 1; "
                   "0.8 if left out.")
        ->check(number_between(0, 0.9999))
        ->type_name("SHARE");
  }

  int run() override {
    arguments_.is_json = is_json();
    const std::optional<int> threads = settle_find(words_, "find lr", arguments_);
    return run_in_engine("find_lr", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  FindRateArguments arguments_;
  std::vector<std::string> words_;
};

}  // namespace

void register_find_lr(Commands& commands) {
  commands.add(std::make_unique<FindLearningRateCommand>());
}

}  // namespace hearth::cli
