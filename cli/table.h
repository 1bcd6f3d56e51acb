// Columns of text, wrapped to the width of a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hearth::cli {

using Rows = std::vector<std::pair<std::string, std::string>>;

// Names indented by two, meanings from one column on, wrapped at 100. The column widens for longer
// names, but a name of more than 28 letters gets a line of its own.
[[nodiscard]] std::string two_columns(const Rows& rows, size_t least_width = 0);

// Words of `text` in lines of at most `width` letters; a longer word stays whole.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, size_t width);

}  // namespace hearth::cli
