// Plain or quoted: the safe choice for one text.
#include "hearth/config/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

bool is_ascii_alnum(char letter) {
  return static_cast<unsigned char>(letter) < 0x80 &&
         std::isalnum(static_cast<unsigned char>(letter));
}

// A set that is safe inside block and flow style alike, not the largest one that YAML allows.
bool can_be_plain(std::string_view text) {
  constexpr std::string_view kSafe = "_./+-%@=()*<>^$~ ";
  if (text.empty() || text == "null" || text.back() == ' ') return false;
  const bool has_sign = text.size() > 1 && (text[0] == '-' || text[0] == '+');
  const char first = text[has_sign ? 1 : 0];
  const bool starts_well = is_ascii_alnum(first) || first == '_' || first == '/' ||
                           (first == '.' && !text.starts_with("..."));
  return starts_well && std::all_of(text.begin(), text.end(), [&](char letter) {
           return is_ascii_alnum(letter) || kSafe.find(letter) != kSafe.npos;
         });
}

bool looks_typed(std::string_view text) {
  constexpr std::array<std::string_view, 11> kWords = {
      "true", "false", "yes", "no", "on", "off", "y", "n", "null", ".inf", ".nan"};
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  if (has_sign) text.remove_prefix(1);
  const size_t digit = text.starts_with('.') ? 1 : 0;
  if (digit < text.size() && text[digit] >= '0' && text[digit] <= '9') return true;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;  // 0 for what is not UTF-8
};

CodePoint code_point_at(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return {};
  uint32_t value = byte(0) & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || is_surrogate) return {};
  return {value, length};
}

// Line breaks of YAML 1.1, control characters, and what libyaml does not take as it is.
bool needs_escape(uint32_t value) {
  return value < 0x20 || (value >= 0x7F && value <= 0xA0) || value == 0x2028 || value == 0x2029 ||
         value == 0xFEFF || value == 0xFFFE || value == 0xFFFF;
}

std::string escaped(uint32_t value) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), value > 0xFFFF ? "\\U%08X" : "\\u%04X", value);
  return text.data();
}

std::string double_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = code_point_at(rest);
    if (point.bytes == 0 || point.value == 0)
      throw ConfigError("the text " + quote(text) +
                        " cannot be written as YAML: it is not UTF-8, or holds NUL.");
    if (point.value == '\n')
      quoted += "\\n";
    else if (point.value == '"' || point.value == '\\')
      quoted += {'\\', rest[0]};
    else if (needs_escape(point.value))
      quoted += escaped(point.value);
    else
      quoted += rest.substr(0, point.bytes);
    rest.remove_prefix(point.bytes);
  }
  return quoted + "\"";
}

}  // namespace

std::string yaml_scalar(std::string_view text, bool is_text) {
  if (can_be_plain(text) && !(is_text && looks_typed(text))) return std::string(text);
  const bool is_printable = std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return letter >= 0x20 && letter < 0x7F && letter != '\'';
  });
  return is_printable ? "'" + std::string(text) + "'" : double_quoted(text);
}

}  // namespace hearth
