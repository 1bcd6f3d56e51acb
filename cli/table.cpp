// Columns of text, wrapped to the width of a page.
#include "cli/table.h"

#include <algorithm>
#include <sstream>

namespace hearth::cli {
namespace {

constexpr size_t kPageWidth = 100;
constexpr size_t kWidestName = 28;

}  // namespace

std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (line.size() + 1 + word.size() <= width)
      line += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

std::string two_columns(const Rows& rows, size_t least_width) {
  size_t width = least_width;
  for (const auto& [name, meaning] : rows)
    if (name.size() <= kWidestName) width = std::max(width, name.size() + 2);
  std::string text;
  for (const auto& [name, meaning] : rows) {
    std::string line = "  " + name;
    if (name.size() > kWidestName) {
      text += line + "\n";
      line.clear();
    }
    for (const std::string& part : wrapped(meaning, kPageWidth - width - 2)) {
      line.resize(width + 2, ' ');
      line += part;
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line.clear();
    }
  }
  return text;
}

}  // namespace hearth::cli
