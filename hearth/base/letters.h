// Characters rather than bytes: what a terminal may be shown, and how much room it takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Control characters, bytes that are not UTF-8 and marks that turn the direction of reading become
// text, such as \x1b or \u{202e}. Line ends and tabs stay.
[[nodiscard]] std::string visible(std::string_view text);

[[nodiscard]] size_t letter_count(std::string_view text);
[[nodiscard]] std::string first_letters(std::string_view text, size_t count);
// With blanks behind it, up to `width` letters.
[[nodiscard]] std::string padded(std::string_view text, size_t width);
// One line cut between words into lines of at most `width` letters, the later ones indented
// further; blanks within it stay.
[[nodiscard]] std::vector<std::string> folded(std::string line, size_t width);
// Words of `text` in lines of at most `width` letters; a longer one breaks behind a dot, if it
// has one.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, size_t width);

}  // namespace hearth
