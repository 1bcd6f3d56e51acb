// Columns of text, wrapped to the width of a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hearth::cli {

using Rows = std::vector<std::pair<std::string, std::string>>;

// Names indented by two, meanings from one column on, wrapped at `width`. The column is at least
// `least_column` and widens for longer names, up to a third of the page; a name that is longer
// still gets a line of its own, and so do all names on a page too narrow for two columns.
[[nodiscard]] std::string two_columns(const Rows& rows, size_t width, size_t least_column = 0);

}  // namespace hearth::cli
