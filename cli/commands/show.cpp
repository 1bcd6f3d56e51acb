// hearth show: the full form of an experiment, as it would run.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/experiment_arguments.h"
#include "cli/node_json.h"
#include "cli/plugin_catalog.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// The technique that made a node, or something in it: "label_smoothing, line 9".
std::string maker_of(const Node& node) {
  const Mark& mark = node.mark();
  if (mark.path && mark.path->starts_with("techniques[")) {
    const size_t dot = mark.path->find('.') + 1;
    const std::string name = mark.path->substr(dot, mark.path->find('.', dot) - dot);
    return name + (mark.line > 0 ? ", line " + std::to_string(mark.line) : "");
  }
  for (const Node& item : node.items())
    if (std::string maker = maker_of(item); !maker.empty()) return maker;
  for (const Node::Entry& entry : node.entries())
    if (std::string maker = maker_of(entry.value); !maker.empty()) return maker;
  return "";
}

class ShowCommand : public Command {
 public:
  ShowCommand()
      : Command({"show",
                 "Understand",
                 "Shows an experiment in full: files merged, shorthand and techniques written out.",
                 "FILE... [KEY=VALUE...]",
                 {"hearth show digits.yaml", "hearth show digits.yaml train.epochs=3 --defaults",
                  "hearth show base.yaml mine.yaml > full.yaml"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_flag("--defaults", has_defaults_, "Writes every option, also those left at default.");
  }

  int run() override {
    ExperimentArguments arguments;
    sort_words(words_, "show", arguments);
    const LoadedExperiment loaded = load(arguments, catalog_with_plugins_of(arguments));
    const Node& config = has_defaults_ ? loaded.effective : loaded.expanded;
    print(is_json() ? json_line(json_from(config)) : to_yaml(config, maker_of));
    if (!is_json()) say_next("hearth check " + arguments.words());
    return 0;
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  std::vector<std::string> words_;
  bool has_defaults_ = false;
};

}  // namespace

void register_show(Commands& commands) { commands.add(std::make_unique<ShowCommand>()); }

}  // namespace hearth::cli
