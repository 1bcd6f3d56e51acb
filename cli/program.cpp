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
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

Command& command_named(const Commands& commands, const std::string& name) {
  if (Command* command = commands.find(name)) return *command;
  const bool is_flag = name.starts_with('-');
  throw ConfigError((is_flag ? "hearth has no flag " : "There is no command ") + quote(name) + "." +
                    (is_flag ? did_you_mean(name, {"--help", "--version"})
                             : did_you_mean(name, commands.names())) +
                    "\n  Try: hearth --help");
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
  return command.run();
}

// A result that could not be written is none.
int written(int exit_code) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw DataError("Standard output cannot be written: " + std::string(std::strerror(errno)) +
                    ".");
  return exit_code;
}

int dispatch(const std::vector<std::string>& words) {
  Commands commands;
  register_all(commands);
  const std::string first = words.empty() ? "--help" : words.front();
  if (first == "--help" || first == "-h") {
    print_page(program_help(commands, page_width()));
    return 0;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (first == "--version") return run_command(command_named(commands, "version"), rest);
  if (first == "__complete") {
    print(completion_lines(commands, rest));
    return 0;
  }
  return run_command(command_named(commands, first), rest);
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
