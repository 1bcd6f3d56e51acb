// hearth schema: the JSON Schema of a config, for editors.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/command.h"
#include "cli/terminal.h"
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
                 {"hearth schema > hearth.schema.json"}}) {}

  void declare(CLI::App&) override {}

  int run() override {
    print(json_schema(load_catalog()).dump(2) + "\n");
    say_next("write '# yaml-language-server: $schema=hearth.schema.json' above your YAML");
    return 0;
  }
};

}  // namespace

void register_schema(Commands& commands) { commands.add(std::make_unique<SchemaCommand>()); }

}  // namespace hearth::cli
