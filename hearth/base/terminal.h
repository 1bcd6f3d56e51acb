// The one way of text to people: results, notes, errors, progress. What came from a file never
// reaches the terminal as a control sequence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Columns of a page on standard output: what COLUMNS says, else the terminal; 100 without either.
inline constexpr size_t kPageWidth = 100;
[[nodiscard]] size_t page_width();

// On standard output. A page is text whose headings, lines with an indented one right below them,
// are bold on a terminal that wants colour, and whose long lines go on below on a narrow one.
void print(std::string_view text);
void print_page(std::string_view text);

// Text with a colour of the 256 that most terminals have; 0 for none.
struct TintedText {
  std::string text;
  int colour = 0;
};
// On standard output; without colours where they are not wanted.
[[nodiscard]] bool prints_colours();
void print_tinted(const std::vector<TintedText>& pieces);

// On standard error, so that piped output stays clean, after everything printed so far.
void print_error(std::string_view message);  // "error: ..."
void print_warning(std::string_view text);   // "warning: ..."
void print_note(std::string_view text);      // "note: ..."
void say_next(const std::vector<std::string>& commands);
void say_next(const std::string& command);  // "next: hearth ..."

// Progress on standard error. Parts of a line stand side by side and go on below when the terminal
// is narrow. A passing line is replaced by whatever is said next; without a terminal that can do
// that (TERM=dumb) it is not shown.
void say_progress(const std::vector<std::string>& parts);
void show_passing(const std::vector<std::string>& parts);
// Columns for a passing line; 0 where none is shown.
[[nodiscard]] size_t passing_width();
// Columns of a terminal that people look at; 0 for a file or another program.
[[nodiscard]] size_t progress_width();
// Whether the environment says that letters beyond ASCII can be seen.
[[nodiscard]] bool shows_unicode();

}  // namespace hearth
