// What people see: text, errors, and what to type next. Colour only on a terminal that wants it.
#pragma once

#include <string>
#include <string_view>

namespace hearth::cli {

// Bold when standard output is a terminal and NO_COLOR is not set.
[[nodiscard]] std::string emphasised(const std::string& text);

void print(std::string_view text);

// "error: ..." on standard error, after everything printed so far.
void print_error(std::string_view message);

// "next: hearth ..." on standard error, so that piped output stays clean.
void say_next(std::string_view text);

}  // namespace hearth::cli
