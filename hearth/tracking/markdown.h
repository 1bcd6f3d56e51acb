// Tables for viewers that show Markdown.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

// The first row is the head. At most `most_rows` of the others, and it says how many there are.
[[nodiscard]] std::string markdown_table(const std::vector<std::vector<std::string>>& rows,
                                         size_t most_rows = 100);

// The rows of a table as an event of the log has it, its head first; empty when it is something
// else. Numbers that are not whole are rounded.
[[nodiscard]] std::vector<std::vector<std::string>> table_rows(const Json& details);

}  // namespace hearth
