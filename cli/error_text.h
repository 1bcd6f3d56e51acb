// What a person reads when the command line or the config is wrong.
#pragma once

#include <string>

#include "cli/command.h"

namespace CLI {
class ParseError;
}
namespace hearth {
class Error;
}

namespace hearth::cli {

// Names each flag that does not exist, with the nearest one that does.
[[nodiscard]] std::string usage_error_text(const CommandInfo& info, const CLI::App& app,
                                           const CLI::ParseError& error);

// The message; when it lists several faults, they stand on lines of their own, their count below.
[[nodiscard]] std::string with_fault_count(const Error& error);

}  // namespace hearth::cli
