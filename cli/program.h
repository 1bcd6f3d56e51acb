// From the words of the command line to an exit code.
#pragma once

#include <string>
#include <vector>

namespace hearth::cli {

// Runs one command and turns every error into text on standard error and an exit code.
[[nodiscard]] int run_program(const std::vector<std::string>& words);

}  // namespace hearth::cli
