// A table of numbers as JSON and as text.
#include "hearth/core/table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr size_t kMostShown = 50;  // rows, and columns; more is for programs
constexpr size_t kIndent = 2;
constexpr size_t kGap = 2;
constexpr size_t kLongestName = 16;

using TextColumn = std::vector<std::string>;  // its name and its cells

size_t width_of(const TextColumn& column) {
  size_t width = 0;
  for (const std::string& text : column) width = std::max(width, letter_count(text));
  return width;
}

std::string short_name(const std::string& name) {
  const std::string shown = visible(name);
  return letter_count(shown) > kLongestName ? first_letters(shown, kLongestName - 1) + "…" : shown;
}

// Whole numbers in a column of nothing else are counts.
bool holds_counts(const Table& table, size_t column, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    const double value = table.cell(row, column);
    if (std::isfinite(value) && value != std::floor(value)) return false;
  }
  return true;
}

TextColumn text_column(const Table& table, size_t column, size_t rows) {
  TextColumn texts = {short_name(table.columns[column])};
  const bool is_count = holds_counts(table, column, rows);
  for (size_t row = 0; row < rows; ++row) {
    const double value = table.cell(row, column);
    texts.push_back(std::isnan(value) ? "-"
                    : is_count        ? shortest_number(value)
                                      : rounded_number(value, 4));
  }
  return texts;
}

std::string to_the_right(const std::string& text, size_t width) {
  return std::string(width - std::min(width, letter_count(text)), ' ') + text;
}

// Side by side, with the names of the rows before them.
std::string block(const TextColumn& names, const std::vector<TextColumn>& columns) {
  std::string text;
  for (size_t line = 0; line < names.size(); ++line) {
    text += std::string(kIndent, ' ') + padded(names[line], width_of(names));
    for (const TextColumn& column : columns)
      text += std::string(kGap, ' ') + to_the_right(column[line], width_of(column));
    text += "\n";
  }
  return text;
}

std::string not_shown(size_t rows, size_t columns) {
  if (rows == 0 && columns == 0) return "";
  std::vector<std::string> parts;
  if (rows > 0) parts.push_back(human_count(rows) + " rows");
  if (columns > 0) parts.push_back(human_count(columns) + " columns");
  return std::string(kIndent, ' ') + "and " + join(parts, " and ") + " more; --json has them all\n";
}

}  // namespace

Json Table::to_json() const {
  Json lines = Json::array();
  for (size_t row = 0; row < rows.size(); ++row) {
    Json line = Json::array();
    for (size_t column = 0; column < columns.size(); ++column) {
      const double value = cell(row, column);
      const bool is_count = std::abs(value) < 1e15 && value == std::floor(value);
      line.push_back(!std::isfinite(value) ? Json()
                     : is_count            ? Json(static_cast<int64_t>(value))
                                           : Json(value));
    }
    lines.push_back(std::move(line));
  }
  return {{"corner", corner}, {"columns", columns}, {"rows", rows}, {"cells", std::move(lines)}};
}

std::string Table::text(size_t width) const {
  const size_t shown_rows = std::min(rows.size(), kMostShown);
  const size_t shown_columns = std::min(columns.size(), kMostShown);
  TextColumn names = {visible(corner)};
  for (size_t row = 0; row < shown_rows; ++row) names.push_back(short_name(rows[row]));
  std::string text;
  std::vector<TextColumn> side_by_side;
  size_t used = kIndent + width_of(names);
  for (size_t column = 0; column < shown_columns; ++column) {
    TextColumn next = text_column(*this, column, shown_rows);
    const size_t wanted = kGap + width_of(next);
    if (used + wanted > width && !side_by_side.empty()) {
      text += block(names, side_by_side) + "\n";
      side_by_side.clear();
      used = kIndent + width_of(names);
    }
    side_by_side.push_back(std::move(next));
    used += wanted;
  }
  return text + block(names, side_by_side) +
         not_shown(rows.size() - shown_rows, columns.size() - shown_columns);
}

}  // namespace hearth
