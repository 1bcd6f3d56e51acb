// UTF-8 letter by letter, and what a letter is.
#include "hearth/data/unicode.h"

#include <algorithm>
#include <array>
#include <span>

#include "hearth/data/unicode_ranges.h"

namespace hearth {

namespace {

constexpr uint32_t kLastAscii = 0x7F;

bool is_in_ranges(std::span<const UnicodeRange> ranges, uint32_t code) {
  const auto found = std::upper_bound(
      ranges.begin(), ranges.end(), code,
      [](uint32_t value, const UnicodeRange& range) { return value < range.first; });
  return found != ranges.begin() && code <= (found - 1)->last;
}

// How many bytes follow the first one of a letter; below 0 for a byte that starts none.
int following_bytes(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 1;
  if (first >= 0xE0 && first <= 0xEF) return 2;
  if (first >= 0xF0 && first <= 0xF4) return 3;
  return -1;
}

// Longer than needed, half of a pair, or beyond the last: not UTF-8.
bool is_code(uint32_t code, int following) {
  constexpr std::array<uint32_t, 4> kLeast = {0, 0x80, 0x800, 0x10000};
  return code >= kLeast[static_cast<size_t>(following)] && code <= 0x10FFFF &&
         (code < 0xD800 || code > 0xDFFF);
}

}  // namespace

Letter letter_at(std::string_view text, size_t place) {
  const auto first = static_cast<unsigned char>(text[place]);
  const Letter byte{first, 1, first <= kLastAscii};
  const int following = following_bytes(first);
  if (following <= 0 || text.size() - place <= static_cast<size_t>(following)) return byte;
  uint32_t code = first & (0x3FU >> following);
  for (int i = 1; i <= following; ++i) {
    const auto next = static_cast<unsigned char>(text[place + static_cast<size_t>(i)]);
    if ((next & 0xC0) != 0x80) return byte;
    code = code << 6 | (next & 0x3FU);
  }
  if (!is_code(code, following)) return byte;
  return {code, static_cast<size_t>(following) + 1, true};
}

bool is_unicode_letter(uint32_t code) {
  if (code <= kLastAscii) return (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
  return is_in_ranges(kLetterRanges, code);
}

bool is_unicode_mark(uint32_t code) { return is_in_ranges(kMarkRanges, code); }

bool is_unicode_number(uint32_t code) {
  if (code <= kLastAscii) return code >= '0' && code <= '9';
  return is_in_ranges(kNumberRanges, code);
}

bool is_unicode_space(uint32_t code) {
  if (code <= kLastAscii) return code == ' ' || (code >= '\t' && code <= '\r');
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

}  // namespace hearth
