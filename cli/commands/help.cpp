// hearth help: what people type before they know of --help.
#include "cli/help.h"

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

class HelpCommand : public Command {
 public:
  explicit HelpCommand(const Commands& commands)
      : Command({"help",
                 "Set up",
                 "Explains the program or one command.",
                 "[COMMAND]",
                 {"hearth help", "hearth help train"},
                 /*has_json=*/false}),
        commands_(commands) {}

  void declare(CLI::App& app) override {
    app.add_option("COMMAND", command_, "The command to explain.");
  }

  int run() override {
    if (command_.empty()) {
      print_page(program_help(commands_, page_width()));
      return 0;
    }
    Command* command = commands_.find(command_);
    if (command == nullptr)
      throw ConfigError("There is no command " + quote(command_) + "." +
                        did_you_mean(command_, commands_.names()));
    print_page(make_parser(*command)->help());
    return 0;
  }

  std::vector<std::string> candidates(const Catalog&) const override { return commands_.names(); }

 private:
  const Commands& commands_;
  std::string command_;
};

}  // namespace

void register_help(Commands& commands) { commands.add(std::make_unique<HelpCommand>(commands)); }

}  // namespace hearth::cli
