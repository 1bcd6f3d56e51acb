// From the words of the command line to an exit code.
#include "cli/program.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/complete.h"
#include "cli/error_text.h"
#include "cli/help.h"
#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// Names that commands had before.
constexpr std::pair<const char*, const char*> kFormerNames[] = {{"benchmark-data", "data bench"}};

[[noreturn]] void refuse(const Commands& commands, const std::vector<std::string>& words) {
  const std::string& first = words.front();
  for (const auto& [former, name] : kFormerNames)
    if (first == former) throw ConfigError(quote(first) + " is now: hearth " + name);
  std::vector<std::string> members;
  for (const Command* command : commands.family(first))
    members.push_back(last_word(command->info()));
  if (!members.empty())
    throw ConfigError("hearth " + first + " has no command " + quote(words[1]) + "." +
                      did_you_mean(words[1], members) + "\n  Try: hearth " + first + " --help");
  const bool is_flag = first.starts_with('-');
  throw ConfigError((is_flag ? "hearth has no flag " : "There is no command ") + quote(first) +
                    "." +
                    (is_flag ? did_you_mean(first, {"--help", "--version"})
                             : did_you_mean(first, commands.first_words())) +
                    "\n  Try: hearth --help");
}

void show_work(const std::string& what, uint64_t done, uint64_t all) {
  show_passing({what, all > 0 ? std::to_string(done * 100 / all) + "%" : human_count(done)});
}

int run_command(Command& command, const std::vector<std::string>& words) {
  const auto parser = make_parser(command);
  try {
    parser->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    print_page(parser->help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw ConfigError(usage_error_text(command.info(), *parser, error, words));
  }
  const ListenToWork listen({.on_progress = show_work, .on_note = print_note});
  return command.run();
}

// A result that could not be written is none.
int written(int exit_code) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw DataError("Standard output cannot be written: " + std::string(std::strerror(errno)) +
                    ".");
  return exit_code;
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h"; }

int dispatch(const std::vector<std::string>& words) {
  Commands commands;
  register_all(commands);
  const std::string first = words.empty() ? "--help" : words.front();
  if (is_help(first)) {
    print_page(program_help(commands, page_width()));
    return 0;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (first == "--version") return run_command(*commands.find("version"), rest);
  if (first == "__complete") {
    print(completion_lines(commands, rest));
    return 0;
  }
  if (Command* command = commands.find(words)) {
    const auto own = static_cast<std::ptrdiff_t>(words_in(command->info()));
    return run_command(*command, {words.begin() + own, words.end()});
  }
  if (!commands.family(first).empty() && (rest.empty() || is_help(rest.front()))) {
    print_page(family_help(commands, first, page_width()));
    return 0;
  }
  refuse(commands, words);
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  const bool is_json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    return written(dispatch(words));
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    print_error(failure.text);
    if (is_json) print(json_line(error_json(failure.message, failure.exit_code)));
    return failure.exit_code;
  }
}

}  // namespace hearth::cli
