// Characters of UTF-8, decoded strictly.
#include "hearth/base/letters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <sstream>

namespace hearth {
namespace {

// One character of UTF-8; `bytes` is 0 when there is none.
struct Letter {
  uint32_t code = 0;
  size_t bytes = 0;
};

Letter letter_at(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t bytes = first < 0x80   ? 1
                       : first < 0xc0 ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                                      : 4;
  if (bytes == 0 || bytes > text.size()) return {};
  constexpr std::array<uint32_t, 5> kMasks = {0, 0x7f, 0x1f, 0x0f, 0x07};
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t code = first & kMasks[bytes];
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3f);
  }
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast[bytes] || code > 0x10ffff || is_surrogate ? Letter{} : Letter{code, bytes};
}

bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

// Marks that let text read in another order than it has.
bool turns_direction(uint32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(const char* format, uint32_t code) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, code);
  return text.data();
}

std::string shown(const Letter& letter, std::string_view text) {
  if (letter.bytes == 0) return escaped("\\x%02x", static_cast<unsigned char>(text[0]));
  if (letter.code == '\n' || letter.code == '\t') return std::string(text.substr(0, 1));
  if (letter.code == '\r') return "\\r";
  if (is_control(letter.code)) return escaped("\\x%02x", letter.code);
  if (turns_direction(letter.code)) return escaped("\\u{%04x}", letter.code);
  return std::string(text.substr(0, letter.bytes));
}

bool is_continuation(char letter) { return (static_cast<unsigned char>(letter) & 0xc0) == 0x80; }

// The paths of options may be wider than a narrow terminal.
std::vector<std::string> broken_behind_dots(std::string word, size_t width) {
  std::vector<std::string> pieces;
  while (letter_count(word) > width) {
    const size_t dot = word.rfind('.', width - 1);
    if (dot == std::string::npos || dot + 1 == word.size()) break;
    pieces.push_back(word.substr(0, dot + 1));
    word.erase(0, dot + 1);
  }
  pieces.push_back(word);
  return pieces;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const Letter letter = letter_at(text);
    clean += shown(letter, text);
    text.remove_prefix(letter.bytes == 0 ? 1 : letter.bytes);
  }
  return clean;
}

size_t letter_count(std::string_view text) {
  size_t count = 0;
  for (const char letter : text) count += is_continuation(letter) ? 0 : 1;
  return count;
}

std::string first_letters(std::string_view text, size_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end)
    if (!is_continuation(text[end]) && count-- == 0) break;
  return std::string(text.substr(0, end));
}

std::string padded(std::string_view text, size_t width) {
  const size_t count = letter_count(text);
  return std::string(text) + std::string(count < width ? width - count : 0, ' ');
}

std::vector<std::string> folded(std::string line, size_t width) {
  constexpr size_t kFurther = 4;
  const size_t indent = std::min(line.find_first_not_of(' ') + kFurther, width / 3);
  std::vector<std::string> lines;
  while (letter_count(line) > width) {
    const std::string start = first_letters(line, width + 1);
    const size_t cut = start.find_last_of(' ');
    if (cut == start.npos || start.find_first_not_of(' ') > cut) break;  // one long word
    lines.push_back(line.substr(0, cut));
    line = std::string(indent, ' ') + line.substr(cut + 1);
  }
  lines.push_back(line);
  return lines;
}

std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string whole; words >> whole;)
    for (const std::string& word : broken_behind_dots(whole, width)) {
      std::string& line = lines.back();
      if (line.empty())
        line = word;
      else if (letter_count(line) + 1 + letter_count(word) <= width)
        line += " " + word;
      else
        lines.push_back(word);
    }
  return lines;
}

}  // namespace hearth
