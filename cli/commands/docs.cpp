// hearth docs: the options of a component, a kind, or the whole config.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/experiment_arguments.h"
#include "cli/plugin_catalog.h"
#include "cli/reference_pages.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/reference.h"
#include "hearth/data/clean_options.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

constexpr const char* kExperiment = "experiment";

// What a file of `hearth data clean` takes.
const Catalog& clean_catalog() {
  static const Catalog catalog{.kinds = {}, .experiment = CleanOptions::schema().info()};
  return catalog;
}

// All that a name means: options of the config, kinds, components.
struct Meaning {
  Catalog part;  // the kinds and components, and the whole config for `experiment`
  std::optional<Field> option;
  [[nodiscard]] bool is_nothing() const {
    return part.kinds.empty() && part.experiment.fields.empty() && !option;
  }
};

Meaning meaning_of(const Catalog& catalog, const std::string& name) {
  Meaning meaning;
  meaning.option = option_at(catalog, name);
  if (!meaning.option) meaning.option = option_at(clean_catalog(), name);
  if (name == kExperiment) meaning.part.experiment = catalog.experiment;
  for (const KindInfo& kind : catalog.kinds) {
    const ComponentInfo* component = kind.find(name);
    if (kind.name != name && component == nullptr) continue;
    meaning.part.kinds.push_back(kind);
    if (kind.name != name) meaning.part.kinds.back().components = {*component};
  }
  return meaning;
}

std::vector<std::string> names_in(const Catalog& catalog) {
  std::vector<std::string> names = {kExperiment};
  for (const KindInfo& kind : catalog.kinds) {
    names.push_back(kind.name);
    for (const ComponentInfo& component : kind.components) names.push_back(component.name);
  }
  for (const Field& field : catalog.experiment.fields) names.push_back(field.name);
  for (const Catalog* each : {&catalog, &clean_catalog()})
    for (const std::string& path : override_paths(each->experiment))
      names.push_back(path.substr(0, path.size() - 1));
  names.emplace_back("steps");
  return names;
}

[[noreturn]] void throw_unknown(const Catalog& catalog, const std::string& name) {
  const auto near = nearest(name, names_in(catalog));
  throw ConfigError("There is no component, kind or option " + quote(name) + "." +
                    (near ? " Did you mean " + quote(*near) + "?" : "") + "\n  Try: hearth list");
}

// Examples take other components of a kind, so that help wants it whole.
std::string help_text(const Meaning& meaning, const Catalog& catalog, const std::string& name,
                      size_t width) {
  std::vector<std::string> texts;
  if (name == kExperiment) texts.push_back(schema_help(name, meaning.part.experiment, width));
  if (meaning.option) texts.push_back(option_help(*meaning.option, width));
  for (const KindInfo& kind : meaning.part.kinds)
    texts.push_back(kind.name == name
                        ? kind_help(kind, width)
                        : component_help(*catalog.kind(kind.name), kind.components.front(), width));
  return join(texts, "\n");
}

nlohmann::json meaning_json(const Meaning& meaning) {
  Catalog part = meaning.part;
  if (meaning.option) part.experiment.fields = {*meaning.option};
  return part.to_json();
}

std::string next_step(const Meaning& meaning) {
  if (!meaning.part.kinds.empty()) return "hearth list " + meaning.part.kinds.front().name;
  const bool takes_component = meaning.option && !meaning.option->type.component_kind.empty();
  return takes_component ? "hearth list " + meaning.option->type.component_kind : "hearth list";
}

class DocsCommand : public Command {
 public:
  explicit DocsCommand(const Commands& commands)
      : Command({"docs",
                 "Understand",
                 "Explains a component, a kind, an option of the config, or all of it.",
                 "NAME",
                 {"hearth docs adamw", "hearth docs optimizer", "hearth docs train.epochs",
                  "hearth docs data", "hearth docs experiment", "hearth docs steps",
                  "hearth docs my_trace --plugin ./libmine.so",
                  "hearth docs --markdown docs/reference"}}),
        commands_(commands) {}

  void declare(CLI::App& app) override {
    app.add_option("NAME", name_,
                   "A component, a kind, an option such as train.epochs, `experiment`, or the "
                   "`steps` of `hearth data clean`.");
    declare_plugins(app, plugins_);
    app.add_option("--markdown", folder_, "Writes all reference pages to this folder instead.")
        ->type_name("FOLDER");
  }

  int run() override {
    const Catalog catalog = catalog_with(plugins_);
    folder_.empty() ? explain(catalog) : write_pages(catalog);
    return 0;
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return names_in(catalog);
  }

 private:
  void explain(const Catalog& catalog) const {
    if (name_.empty())
      throw ConfigError("hearth docs needs a NAME, such as experiment.\n  Try: hearth list");
    const Meaning meaning = meaning_of(catalog, name_);
    if (meaning.is_nothing()) throw_unknown(catalog, name_);
    if (is_json()) return print(json_line(meaning_json(meaning)));
    print_page(help_text(meaning, catalog, name_, page_width()));
    say_next(next_step(meaning));
  }

  void write_pages(const Catalog& catalog) const {
    const auto names = write_reference(folder_, catalog, commands_);
    if (is_json()) return print(json_line(nlohmann::json{{"folder", folder_}, {"pages", names}}));
    print("Wrote " + std::to_string(names.size()) + " pages to " + folder_ + ".\n");
    say_next("open " + folder_ + "/index.md");
  }

  const Commands& commands_;
  std::string name_;
  std::string folder_;
  PluginArguments plugins_;
};

}  // namespace

void register_docs(Commands& commands) { commands.add(std::make_unique<DocsCommand>(commands)); }

}  // namespace hearth::cli
