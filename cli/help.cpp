// The text of `hearth --help` and `hearth COMMAND --help`.
#include "cli/help.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "cli/table.h"
#include "hearth/base/letters.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

constexpr const char* kGroups[] = {"Train", "Use", "Understand", "Create", "Set up"};

std::string paragraph(const std::string& text, size_t width) {
  return join(wrapped(text, width), "\n") + "\n\n";
}

std::string example_lines(const std::vector<std::string>& examples) {
  std::string text = "Examples\n";
  for (const std::string& example : examples) text += "  " + example + "\n";
  return text;
}

std::string group_help(const Commands& commands, const std::string& group, size_t width) {
  Rows rows;
  for (const auto& command : commands.all())
    if (command->info().group == group)
      rows.push_back({command->info().name, command->info().help});
  return rows.empty() ? "" : group + "\n" + two_columns(rows, width, 16) + "\n";
}

std::string flag_label(const CLI::Option& option) {
  const std::string names = join(split(option.get_name(false, true), ','), ", ");
  return option.get_type_name().empty() ? names : names + " " + option.get_type_name();
}

// Positionals, or flags, as rows of name and meaning.
Rows rows_of(const CLI::App& app, bool is_positional) {
  Rows rows;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional() == is_positional)
      rows.push_back({is_positional ? option->get_name(true) : flag_label(*option),
                      option->get_description()});
  // --help comes first in CLI11; it reads better last.
  if (!is_positional && !rows.empty()) std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  return rows;
}

}  // namespace

std::string program_help(const Commands& commands, size_t width) {
  std::string text = paragraph("Hearth trains models from a YAML file, in C++ on LibTorch.", width);
  text += "Usage: hearth COMMAND [ARGUMENTS]\n\n";
  for (const char* group : kGroups) text += group_help(commands, group, width);
  text += example_lines(
      {"hearth check digits.yaml", "hearth train digits.yaml train.epochs=3", "hearth docs adamw"});
  return text + "\nMore: hearth COMMAND --help\n";
}

std::string family_help(const Commands& commands, const std::string& first, size_t width) {
  Rows rows;
  std::vector<std::string> examples;
  for (const Command* command : commands.family(first)) {
    rows.push_back({last_word(command->info()), command->info().help});
    examples.push_back(command->info().examples.front());
  }
  return "Usage: hearth " + first + " COMMAND [ARGUMENTS]\n\nCommands\n" +
         two_columns(rows, width, 16) + "\n" + example_lines(examples) + "\nMore: hearth " + first +
         " COMMAND --help\n";
}

std::string command_help(const CommandInfo& info, const CLI::App& app, size_t width) {
  std::string text = paragraph(info.help, width) + "Usage: hearth " + info.name;
  if (!info.usage.empty()) text += " " + info.usage;
  text += " [FLAGS]\n\n";
  const Rows positionals = rows_of(app, true);
  if (!positionals.empty()) text += "Arguments\n" + two_columns(positionals, width, 20) + "\n";
  text += "Flags\n" + two_columns(rows_of(app, false), width, 20) + "\n";
  return text + example_lines(info.examples);
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

}  // namespace hearth::cli
