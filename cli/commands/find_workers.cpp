// hearth find workers: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/find_arguments.h"
#include "cli/flag_checks.h"

namespace hearth::cli {
namespace {

class FindWorkersCommand : public Command {
 public:
  FindWorkersCommand()
      : Command({"find workers",
                 "Understand",
                 "Tries numbers of data workers and batches ahead, and says what would be gained.",
                 "FILE... | RUN [KEY=VALUE...]",
                 {"hearth find workers digits.yaml",
                  "hearth find workers digits.yaml --most 8 --seconds 3"}}) {}

  void declare(CLI::App& app) override {
    declare_find(app, words_, arguments_);
    app.add_option("--most", arguments_.most,
                   "Most workers to try; as many as there are cores if left out.")
        ->check(whole_number_from(0))
        ->type_name("N");
    app.add_option("--seconds", arguments_.seconds, "How long each trial takes; 1 if left out.")
        ->check(number_between(0.01, 3600))
        ->type_name("N");
  }

  int run() override {
    arguments_.is_json = is_json();
    const std::optional<int> threads = settle_find(words_, "find workers", arguments_);
    return run_in_engine("find_workers", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  FindWorkersArguments arguments_;
  std::vector<std::string> words_;
};

}  // namespace

void register_find_workers(Commands& commands) {
  commands.add(std::make_unique<FindWorkersCommand>());
}

}  // namespace hearth::cli
