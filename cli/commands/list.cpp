// hearth list: kinds of component, and the components of a kind.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/command.h"
#include "cli/plugin_catalog.h"
#include "cli/table.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

class ListCommand : public Command {
 public:
  ListCommand()
      : Command({"list",
                 "Understand",
                 "Lists the kinds of component, or the components of a kind.",
                 "[KIND]",
                 {"hearth list", "hearth list optimizer", "hearth list layer --json"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("KIND", kind_, "One kind only, such as layer or optimizer.");
    declare_plugins(app, plugins_);
  }

  int run() override {
    const Catalog catalog = catalog_with(plugins_);
    kind_.empty() ? list_kinds(catalog) : list_components(kind_named(catalog, kind_));
    return 0;
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return kind_names(catalog);
  }

 private:
  void list_kinds(const Catalog& catalog) const {
    Rows rows;
    auto json = nlohmann::json::array();
    for (const KindInfo& kind : catalog.kinds) {
      const size_t count = kind.components.size();
      rows.emplace_back(kind.name + " (" + std::to_string(count) + ")", kind.help);
      json.push_back({{"name", kind.name}, {"help", kind.help}, {"components", count}});
    }
    show("Kinds", rows, json, "hearth list optimizer");
  }

  void list_components(const KindInfo& kind) const {
    Rows rows;
    auto json = nlohmann::json::array();
    for (const ComponentInfo& component : kind.components) {
      rows.emplace_back(component.name, component.help);
      json.push_back({{"name", component.name}, {"help", component.help}});
    }
    show("Components of kind " + kind.name + ", taken by " + kind.place, rows, json,
         rows.empty() ? "hearth new " + kind.name + " my_" + kind.name
                      : "hearth docs " + rows.front().first);
  }

  void show(const std::string& title, const Rows& rows, const nlohmann::json& json,
            const std::string& next) const {
    if (is_json()) return print(json_line(json));
    print_page(title + "\n" + two_columns(rows, page_width()));
    say_next(next);
  }

  std::string kind_;
  PluginArguments plugins_;
};

}  // namespace

void register_list(Commands& commands) { commands.add(std::make_unique<ListCommand>()); }

}  // namespace hearth::cli
