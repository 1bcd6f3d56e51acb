// The text of `hearth --help` and `hearth COMMAND --help`, for pages of any width.
#pragma once

#include <string>

#include "cli/command.h"

namespace hearth::cli {

[[nodiscard]] std::string program_help(const Commands& commands, size_t width);
// Of commands of two words that share the first.
[[nodiscard]] std::string family_help(const Commands& commands, const std::string& first,
                                      size_t width);
[[nodiscard]] std::string command_help(const CommandInfo& info, const CLI::App& app, size_t width);
// Long flags and short ones, dashes included: "--json", "-h".
[[nodiscard]] std::vector<std::string> flags_of(const CLI::App& app);

}  // namespace hearth::cli
