// Columns of text, wrapped to the width of a page.
#include "cli/table.h"

#include <algorithm>

#include "hearth/base/letters.h"

namespace hearth::cli {
namespace {

constexpr size_t kIndent = 2;
constexpr size_t kWidestName = 28;
constexpr size_t kLeastForTwoColumns = 60;
constexpr size_t kNarrowColumn = 6;

size_t column_of(const Rows& rows, size_t width, size_t least_column) {
  if (width < kLeastForTwoColumns) return kNarrowColumn;
  const size_t widest = std::min(kWidestName, width / 3);
  size_t column = kIndent + least_column;
  for (const auto& [name, meaning] : rows)
    if (letter_count(name) <= widest) column = std::max(column, kIndent + letter_count(name) + 2);
  return column;
}

}  // namespace

std::string two_columns(const Rows& rows, size_t width, size_t least_column) {
  const size_t column = column_of(rows, width, least_column);
  std::string text;
  for (const auto& [name, meaning] : rows) {
    std::string line = std::string(kIndent, ' ') + name;
    if (letter_count(line) + 2 > column) {
      text += line + "\n";
      line.clear();
      if (meaning.empty()) continue;
    }
    for (const std::string& part : wrapped(meaning, width - column)) {
      line = padded(line, column) + part;
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line.clear();
    }
  }
  return text;
}

}  // namespace hearth::cli
