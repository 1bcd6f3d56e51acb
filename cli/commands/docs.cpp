// hearth docs: the options of a component, a kind, or the whole config.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/command.h"
#include "cli/reference_pages.h"
#include "cli/terminal.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/reference.h"

namespace hearth::cli {
namespace {

constexpr const char* kExperiment = "experiment";

// Only what `name` means: a component of any kind, all of a kind, or the experiment's own fields.
Catalog part_named(const Catalog& catalog, const std::string& name) {
  Catalog part;
  if (name == kExperiment) part.experiment = catalog.experiment;
  for (const KindInfo& kind : catalog.kinds) {
    const ComponentInfo* component = kind.find(name);
    if (kind.name != name && component == nullptr) continue;
    part.kinds.push_back(kind);
    if (kind.name != name) part.kinds.back().components = {*component};
  }
  return part;
}

std::vector<std::string> names_in(const Catalog& catalog) {
  std::vector<std::string> names = {kExperiment};
  for (const KindInfo& kind : catalog.kinds) {
    names.push_back(kind.name);
    for (const ComponentInfo& component : kind.components) names.push_back(component.name);
  }
  return names;
}

[[noreturn]] void throw_unknown(const Catalog& catalog, const std::string& name) {
  const auto near = nearest(name, names_in(catalog));
  throw ConfigError("There is no component " + quote(name) + "." +
                    (near ? " Did you mean " + quote(*near) + "?" : "") + "\n  Try: hearth list");
}

std::string help_text(const Catalog& part, const std::string& name) {
  std::vector<std::string> texts;
  if (name == kExperiment) texts.push_back(schema_help(name, part.experiment));
  for (const KindInfo& kind : part.kinds)
    texts.push_back(kind.name == name ? reference_page(kind)
                                      : component_help(kind, kind.components.front()));
  return join(texts, "\n");
}

class DocsCommand : public Command {
 public:
  explicit DocsCommand(const Commands& commands)
      : Command({"docs",
                 "Understand",
                 "Explains a component and its options, a kind, or the whole config.",
                 "NAME",
                 {"hearth docs adamw", "hearth docs optimizer", "hearth docs experiment",
                  "hearth docs --markdown docs/reference"}}),
        commands_(commands) {}

  void declare(CLI::App& app) override {
    app.add_option("NAME", name_, "A component, a kind, or `experiment`.");
    app.add_option("--markdown", folder_, "Writes all reference pages to this folder instead.")
        ->type_name("FOLDER");
    app.add_flag("--json", is_json_, "Writes JSON.");
  }

  int run() override {
    const Catalog catalog = load_catalog();
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
    const Catalog part = part_named(catalog, name_);
    if (part.kinds.empty() && part.experiment.fields.empty()) throw_unknown(catalog, name_);
    if (is_json_) return print(part.to_json().dump(2) + "\n");
    print(help_text(part, name_));
    say_next(part.kinds.empty() ? "hearth list" : "hearth list " + part.kinds.front().name);
  }

  void write_pages(const Catalog& catalog) const {
    const auto names = write_reference(folder_, catalog, commands_);
    print("Wrote " + std::to_string(names.size()) + " pages to " + folder_ + ".\n");
    say_next("open " + folder_ + "/index.md");
  }

  const Commands& commands_;
  std::string name_;
  std::string folder_;
  bool is_json_ = false;
};

}  // namespace

void register_docs(Commands& commands) { commands.add(std::make_unique<DocsCommand>(commands)); }

}  // namespace hearth::cli
