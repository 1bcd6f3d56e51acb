// hearth summary: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"

namespace hearth::cli {
namespace {

class SummaryCommand : public Command {
 public:
  SummaryCommand()
      : Command({"summary",
                 "Understand",
                 "Shows what a model is made of: shapes, parameters, work, memory, how far it "
                 "sees; draws it.",
                 "FILE|RUN|ARCHITECTURE [KEY=VALUE...]",
                 {"hearth summary digits.yaml", "hearth summary runs/digits-1 --depth 1",
                  "hearth summary resnet depth=50 --input 3x224x224 --svg resnet.svg"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("WORDS", words_,
                   "A config with overrides, a run's folder, or a layer or architecture with its "
                   "options.")
        ->required();
    app.add_option("--input", arguments_.input,
                   "What an architecture takes: 3x224x224 for pictures, 28 for features, 64t for "
                   "tokens.")
        ->type_name("SHAPE");
    app.add_option("--classes", arguments_.classes,
                   "Classes of an architecture's data, or tokens that it knows; 1000 if left out.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option(
           "--batch", arguments_.batch_size,
           "Samples of a batch; if left out, as the config says, and 1 for an architecture.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--depth", arguments_.depth, "Layers within layers down to this depth only.")
        ->check(whole_number_from(0))
        ->type_name("N");
    app.add_option(
           "--svg", arguments_.svg,
           "Draws the model, equal blocks folded into one; further models into files beside it.")
        ->type_name("FILE");
    app.add_option("--dot", arguments_.dot, "The same drawing for Graphviz.")->type_name("FILE");
  }

  int run() override {
    arguments_.is_json = is_json();
    arguments_.target = words_.front();
    arguments_.more.assign(words_.begin() + 1, words_.end());
    return run_in_engine("summary", &arguments_);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  SummaryArguments arguments_;
  std::vector<std::string> words_;
};

}  // namespace

void register_summary(Commands& commands) { commands.add(std::make_unique<SummaryCommand>()); }

}  // namespace hearth::cli
