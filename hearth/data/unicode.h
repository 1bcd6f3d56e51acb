// UTF-8 letter by letter, and what a letter is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hearth {

// What stands at a place of a text. A byte that is not UTF-8 is a letter of its own, of one byte.
struct Letter {
  uint32_t code = 0;
  size_t bytes = 0;
  bool is_valid = false;
};
[[nodiscard]] Letter letter_at(std::string_view text, size_t place);

// Unicode's categories L, M and N, and its white space.
[[nodiscard]] bool is_unicode_letter(uint32_t code);
[[nodiscard]] bool is_unicode_mark(uint32_t code);  // accents and the like
[[nodiscard]] bool is_unicode_number(uint32_t code);
[[nodiscard]] bool is_unicode_space(uint32_t code);

}  // namespace hearth
