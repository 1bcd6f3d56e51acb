// What a person reads when the command line or the config is wrong.
#pragma once

#include <exception>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace CLI {
class ParseError;
}
namespace hearth {
class Error;
}

namespace hearth::cli {

// Names each flag that does not exist, with the nearest one that does, or the option of the config
// that is meant. `words` are all that was given.
[[nodiscard]] std::string usage_error_text(const CommandInfo& info, const CLI::App& app,
                                           const CLI::ParseError& error,
                                           const std::vector<std::string>& words);

// The message; when it lists several faults, they stand on lines of their own, their count below.
[[nodiscard]] std::string with_fault_count(const Error& error);

// What is printed of an error, what programs are told of it, and the exit code. LibTorch's frames
// of a stack are left out of both.
struct Failure {
  std::string text;
  std::string message;
  int exit_code = 0;
};
[[nodiscard]] Failure failure_of(const std::exception& error);

// {"error": {"kind": "config", "exit_code": 2, "message": "...", "faults": ["...", "..."]}}
[[nodiscard]] nlohmann::ordered_json error_json(const std::string& message, int exit_code);

}  // namespace hearth::cli
