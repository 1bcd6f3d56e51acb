// Tables for viewers that show Markdown.
#include "hearth/tracking/markdown.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

// What comes from files must neither end a cell nor become markup.
std::string cell_text(const std::string& text) {
  std::string safe;
  for (const char letter : visible(text)) {
    if (letter == '\n' || letter == '\t') {
      safe += ' ';
      continue;
    }
    if (std::string_view("|\\`*_<>[]").find(letter) != std::string_view::npos) safe += '\\';
    safe += letter;
  }
  return safe;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell_text(cell) + " |";
  return line + "\n";
}

// Counts in full.
std::string short_number(double value) {
  return value == std::round(value) ? shortest_number(value) : rounded_number(value, 5);
}

std::string json_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return short_number(value.get<double>());
  return value.is_null() ? "-" : "?";
}

}  // namespace

std::string markdown_table(const std::vector<std::vector<std::string>>& rows, size_t most_rows) {
  if (rows.empty()) return "";
  std::string text = markdown_row(rows.front()) + "|";
  for (size_t i = 0; i < rows.front().size(); ++i) text += "---|";
  text += "\n";
  const size_t shown = std::min(rows.size() - 1, most_rows);
  for (size_t i = 1; i <= shown; ++i) text += markdown_row(rows[i]);
  if (shown < rows.size() - 1)
    text += "\n" + std::to_string(shown) + " of " + std::to_string(rows.size() - 1) + " rows\n";
  return text;
}

std::vector<std::vector<std::string>> table_rows(const Json& details) {
  const auto part = [&](const char* key) {
    const auto found = details.is_object() ? details.find(key) : details.end();
    return found != details.end() && found->is_array() ? *found : Json::array();
  };
  const Json columns = part("columns");
  const Json names = part("rows");
  const Json cells = part("cells");
  if (columns.empty() || names.size() != cells.size()) return {};
  const auto corner = details.find("corner");
  std::vector<std::vector<std::string>> rows = {
      {corner != details.end() && corner->is_string() ? corner->get<std::string>() : ""}};
  for (const Json& column : columns) rows.front().push_back(json_text(column));
  for (size_t i = 0; i < names.size(); ++i) {
    if (!cells[i].is_array() || cells[i].size() != columns.size()) return {};
    rows.push_back({json_text(names[i])});
    for (const Json& cell : cells[i]) rows.back().push_back(json_text(cell));
  }
  return rows;
}

}  // namespace hearth
