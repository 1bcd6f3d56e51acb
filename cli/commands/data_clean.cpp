// hearth data clean: drops, limits, balances and splits samples, and writes down what is left.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/command.h"
#include "cli/data_sets.h"
#include "cli/experiment_arguments.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/validate.h"
#include "hearth/data/clean_writer.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// A step without options may stand as its name alone, as components do.
Node with_options(Node steps) {
  for (Node& step : steps.items())
    if (step.is_scalar())
      step = Node::map({{step.text(), step.mark(), Node::map({}, step.mark())}}, step.mark());
  return steps;
}

CleanOptions clean_options(const Node& steps) {
  Node node = Node::map();
  if (!steps.is_null()) node.set("steps", with_options(steps));
  throw_faults(validate(node, CleanOptions::schema().info(), load_catalog()));
  return CleanOptions::schema().read(node);
}

class DataCleanCommand : public Command {
 public:
  DataCleanCommand()
      : Command({"data clean",
                 "Create",
                 "Drops corrupt, missing and equal samples, balances and splits, by steps in YAML.",
                 "FILE... [KEY=VALUE...] -o OUT",
                 {"hearth data clean digits.yaml steps.yaml -o cleaned.yaml",
                  "hearth train digits.yaml cleaned.yaml", "hearth docs steps"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_option("-o,--output", output_, "The config to write; lists of samples come beside it.")
        ->required()
        ->type_name("OUT");
  }

  int run() override {
    ExperimentArguments arguments;
    sort_words(words_, "data clean", arguments);
    check_cleaned_name(output_);
    const DataFiles files = load_data_files(arguments, true);
    const CleanOptions options = clean_options(files.steps);
    if (options.steps.empty())
      print_warning(
          "no file has `steps:`, so that all samples stay. Give a further one, such as `steps: "
          "[drop_corrupt, drop_duplicates]`; `hearth docs steps` explains them.");
    std::vector<CleanSet> sets;
    for (const auto& [name, choice] : files.sets) {
      if (name.starts_with("eval."))
        throw ConfigError(
            "data clean knows one evaluation set, but data.eval names several. Give "
            "it one of them: 'data.eval={...}'.");
      sets.push_back({name, choice});
    }
    if (sets.empty())
      throw ConfigError(arguments.files[0] + ": `data` names no source. Give it a train.");
    const Cleaned cleaned = clean(std::move(sets), options);
    const nlohmann::json provenance = write_cleaned(cleaned, output_);
    if (is_json()) {
      print(json_line(provenance));
    } else {
      print_page(cleaned_text(cleaned));
      if (!files.experiments.empty())
        say_next("hearth train " + join(files.experiments, " ") + " " + shell_word(output_));
    }
    return 0;
  }

 private:
  std::vector<std::string> words_;
  std::string output_;
};

}  // namespace

void register_data_clean(Commands& commands) { commands.add(std::make_unique<DataCleanCommand>()); }

}  // namespace hearth::cli
