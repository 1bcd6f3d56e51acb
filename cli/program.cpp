// From the words of the command line to an exit code.
#include "cli/program.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/complete.h"
#include "cli/error_text.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

constexpr int kDefectExitCode = 70;

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
    print(parser->help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw ConfigError(usage_error_text(command.info(), *parser, error));
  }
  return command.run();
}

std::string defect_text(const std::exception& error) {
  return std::string(error.what()) + "\n  This is a defect of Hearth, please report it.";
}

int dispatch(const std::vector<std::string>& words) {
  Commands commands;
  register_all(commands);
  const std::string first = words.empty() ? "--help" : words.front();
  if (first == "--help" || first == "-h") {
    print(program_help(commands));
    return 0;
  }
  if (first == "--version") {
    print(version_text());
    return 0;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (first == "__complete") {
    print(completion_lines(commands, rest));
    return 0;
  }
  return run_command(command_named(commands, first), rest);
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  try {
    return dispatch(words);
  } catch (const InternalError& error) {
    print_error(defect_text(error));
    return error.exit_code();
  } catch (const Error& error) {
    print_error(with_fault_count(error));
    return error.exit_code();
  } catch (const std::exception& error) {
    print_error(defect_text(error));
    return kDefectExitCode;
  }
}

}  // namespace hearth::cli
