// hearth data show: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"

namespace hearth::cli {
namespace {

class DataShowCommand : public Command {
 public:
  DataShowCommand()
      : Command({"data show",
                 "Understand",
                 "Looks at the data: specs, classes, numbers for normalize, broken and equal "
                 "samples, pictures before and after ops.",
                 "FILE... [KEY=VALUE...]",
                 {"hearth data show digits.yaml", "hearth data show digits.yaml --html data.html",
                  "hearth data show digits.yaml --grid pictures.png --samples 500"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_option("--samples", arguments_.samples,
                   "How many of each set to look at, spread over all of it; 20000 if left out.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--html", arguments_.page, "Writes a page with pictures and histograms.")
        ->type_name("FILE");
    app.add_option("--grid", arguments_.grid,
                   "Writes pictures of the training set, before ops and below after them, as PNG.")
        ->type_name("FILE");
  }

  int run() override {
    arguments_.is_json = is_json();
    arguments_.scope = ConfigScope::kData;
    sort_words(words_, "data show", arguments_);
    const std::optional<int> threads = check_early(arguments_);
    return run_in_engine("data_show", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  DataShowArguments arguments_;
  std::vector<std::string> words_;
};

}  // namespace

void register_data_show(Commands& commands) { commands.add(std::make_unique<DataShowCommand>()); }

}  // namespace hearth::cli
