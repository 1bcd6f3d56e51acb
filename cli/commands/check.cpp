// hearth check: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"

namespace hearth::cli {
namespace {

class CheckCommand : public Command {
 public:
  CheckCommand()
      : Command({"check",
                 "Train",
                 "Finds the faults of an experiment without training it, and shows its graph.",
                 "FILE... [KEY=VALUE...]",
                 {"hearth check digits.yaml", "hearth check digits.yaml data.batch_size=512",
                  "hearth check base.yaml mine.yaml --json"}}) {}

  void declare(CLI::App& app) override { declare_experiment(app, words_); }

  int run() override {
    arguments_.is_json = is_json();
    sort_words(words_, "check", arguments_);
    const std::optional<int> threads = check_early(arguments_);
    return run_in_engine("check", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  CheckArguments arguments_;
  std::vector<std::string> words_;
};

}  // namespace

void register_check(Commands& commands) { commands.add(std::make_unique<CheckCommand>()); }

}  // namespace hearth::cli
