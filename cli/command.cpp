// The list of commands, and the parser of one.
#include "cli/command.h"

#include <CLI/CLI.hpp>

#include "cli/help.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"

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

Command* Commands::find(const std::vector<std::string>& words) const {
  if (words.empty()) return nullptr;
  if (words.size() > 1)
    if (Command* command = find(words[0] + " " + words[1])) return command;
  return find(words[0]);
}

std::vector<std::string> Commands::first_words() const {
  std::vector<std::string> words;
  for (const auto& command : all_) {
    std::string word = split(command->info().name, ' ').front();
    if (words.empty() || words.back() != word) words.push_back(std::move(word));
  }
  return words;
}

std::vector<const Command*> Commands::family(const std::string& first) const {
  std::vector<const Command*> members;
  for (const auto& command : all_)
    if (command->info().name.starts_with(first + " ")) members.push_back(command.get());
  return members;
}

size_t words_in(const CommandInfo& info) { return split(info.name, ' ').size(); }

std::string last_word(const CommandInfo& info) { return split(info.name, ' ').back(); }

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
