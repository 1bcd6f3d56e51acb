// hearth schema: the JSON Schema of a config, for editors.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/plugin_catalog.h"
#include "hearth/base/terminal.h"
#include "hearth/config/reference.h"

namespace hearth::cli {
namespace {

class SchemaCommand : public Command {
 public:
  SchemaCommand()
      : Command({"schema",
                 "Understand",
                 "Writes the JSON Schema of a config, for editors that check while one types.",
                 "",
                 {"hearth schema > hearth.schema.json"},
                 /*has_json=*/false}) {}

  void declare(CLI::App& app) override { declare_plugins(app, plugins_); }

  int run() override {
    print(json_schema(catalog_with(plugins_)).dump(2) + "\n");
    say_next("write '# yaml-language-server: $schema=hearth.schema.json' above your YAML");
    return 0;
  }

 private:
  PluginArguments plugins_;
};

}  // namespace

void register_schema(Commands& commands) { commands.add(std::make_unique<SchemaCommand>()); }

}  // namespace hearth::cli
