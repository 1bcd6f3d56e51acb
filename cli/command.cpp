// The list of commands, and the parser of one.
#include "cli/command.h"

#include <CLI/CLI.hpp>

#include "cli/help.h"
#include "hearth/base/terminal.h"

namespace hearth::cli {
namespace {

class HearthFormatter : public CLI::Formatter {
 public:
  explicit HearthFormatter(const Command& command) : command_(command) {}
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return command_help(command_.info(), *app, page_width());
  }

 private:
  const Command& command_;
};

}  // namespace

Command* Commands::find(std::string_view name) const {
  for (const auto& command : all_)
    if (command->info().name == name) return command.get();
  return nullptr;
}

std::vector<std::string> Commands::names() const {
  std::vector<std::string> names;
  for (const auto& command : all_) names.push_back(command->info().name);
  return names;
}

std::unique_ptr<CLI::App> make_parser(Command& command) {
  auto app = std::make_unique<CLI::App>(command.info().help, "hearth " + command.info().name);
  app->formatter(std::make_shared<HearthFormatter>(command));
  app->set_help_flag("-h,--help", "Shows this help.");
  command.declare(*app);
  if (command.info().has_json)
    app->add_flag("--json", command.is_json_,
                  "Prints the result, or the error, as a line of JSON.");
  return app;
}

}  // namespace hearth::cli
