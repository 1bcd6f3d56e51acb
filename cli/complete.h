// What may come next on a command line: the shell's completion scripts ask `hearth __complete`.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hearth::cli {

// One candidate per line. The last word is the one under the cursor, maybe empty.
[[nodiscard]] std::string completion_lines(const Commands& commands,
                                           const std::vector<std::string>& words);

}  // namespace hearth::cli
