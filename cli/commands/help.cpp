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
    app.add_option("COMMAND", words_, "The command to explain.");
  }

  int run() override {
    print_page(text());
    return 0;
  }

  std::vector<std::string> candidates(const Catalog&) const override {
    return commands_.first_words();
  }

 private:
  [[nodiscard]] std::string text() const {
    if (words_.empty()) return program_help(commands_, page_width());
    if (Command* command = commands_.find(words_)) return make_parser(*command)->help();
    if (!commands_.family(words_.front()).empty())
      return family_help(commands_, words_.front(), page_width());
    throw ConfigError("There is no command " + quote(words_.front()) + "." +
                      did_you_mean(words_.front(), commands_.first_words()));
  }

  const Commands& commands_;
  std::vector<std::string> words_;
};

}  // namespace

void register_help(Commands& commands) { commands.add(std::make_unique<HelpCommand>(commands)); }

}  // namespace hearth::cli
