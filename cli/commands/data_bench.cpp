// hearth data bench: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"

namespace hearth::cli {
namespace {

class DataBenchCommand : public Command {
 public:
  DataBenchCommand()
      : Command({"data bench",
                 "Understand",
                 "Measures how fast the data comes, op by op, and says which side is slower.",
                 "FILE... [KEY=VALUE...]",
                 {"hearth data bench digits.yaml",
                  "hearth data bench digits.yaml data.workers=4 --seconds 5"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_option("--seconds", arguments_.seconds, "How long to measure; 1 if left out.")
        ->check(number_between(0.01, 3600))
        ->type_name("N");
  }

  int run() override {
    arguments_.is_json = is_json();
    arguments_.scope = ConfigScope::kData;
    sort_words(words_, "data bench", arguments_);
    const std::optional<int> threads = check_early(arguments_);
    return run_in_engine("data_bench", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  DataBenchmarkArguments arguments_;
  std::vector<std::string> words_;
};

}  // namespace

void register_data_bench(Commands& commands) { commands.add(std::make_unique<DataBenchCommand>()); }

}  // namespace hearth::cli
