// The one way of text to people: results, notes, errors, progress.
#include "hearth/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr const char* kBold = "1";
constexpr const char* kDim = "2";
constexpr const char* kBoldRed = "1;31";
constexpr const char* kClearLine = "\r\x1b[K";
constexpr size_t kNarrowest = 20;
constexpr size_t kWidest = 1000;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A terminal that understands escape sequences.
bool is_capable(std::FILE* stream) {
  const std::string terminal = environment("TERM");
  return isatty(fileno(stream)) == 1 && !terminal.empty() && terminal != "dumb";
}

bool has_colour(std::FILE* stream) { return is_capable(stream) && environment("NO_COLOR").empty(); }

std::string coloured(const std::string& text, const char* code, std::FILE* stream) {
  return has_colour(stream) ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

// Columns, asked anew each time since windows change their size; 0 when nobody knows.
size_t columns_of(std::FILE* stream) {
  winsize size{};
  const auto wanted = read_integer(environment("COLUMNS"));
  if (wanted && *wanted > 0)
    size.ws_col = static_cast<unsigned short>(std::min<int64_t>(*wanted, kWidest));
  else if (isatty(fileno(stream)) != 1 || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col == 0 ? 0 : std::clamp<size_t>(size.ws_col, kNarrowest, kWidest);
}

// What is on the screen is shared by all threads of the process.
struct Screen {
  std::mutex mutex;
  bool has_passing_line = false;
};
Screen& screen() {
  static Screen screen;
  return screen;
}

void put(const std::string& text, std::FILE* stream) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

// `text` must be visible already. Everything said before comes first, whatever stream it went to.
void say(const std::string& text, std::FILE* stream) {
  const std::lock_guard lock(screen().mutex);
  if (stream == stderr) std::fflush(stdout);
  if (std::exchange(screen().has_passing_line, false)) put(kClearLine, stderr);
  put(text, stream);
}

std::string filled(const std::vector<std::string>& parts, size_t width) {
  std::string text;
  size_t column = 0;
  for (const std::string& part : parts) {
    const size_t length = letter_count(part);
    const bool fits = width == 0 || column + 2 + length < width;
    if (!text.empty()) text += fits ? "  " : "\n  ";
    column = text.empty() ? length : (fits ? column : 0) + 2 + length;
    text += part;
  }
  return text;
}

// Commands and examples.
bool is_to_be_copied(const std::string& line) {
  const std::string text(trim(line));
  return text.starts_with("hearth ") || text.starts_with("YAML  ") || text.starts_with("C++   ");
}

}  // namespace

size_t page_width() {
  const size_t columns = columns_of(stdout);
  return columns == 0 ? kPageWidth : columns;
}

void print(std::string_view text) { say(visible(text), stdout); }

void print_page(std::string_view text) {
  const size_t columns = columns_of(stdout);
  const std::vector<std::string> lines = split(visible(text), '\n');
  std::vector<std::string> page;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool is_heading = !lines[i].empty() && lines[i][0] != ' ' && i + 1 < lines.size() &&
                            lines[i + 1].starts_with(' ');
    const bool is_whole = columns == 0 || is_to_be_copied(lines[i]);
    for (const std::string& part : is_whole ? std::vector{lines[i]} : folded(lines[i], columns))
      page.push_back(is_heading ? coloured(part, kBold, stdout) : part);
  }
  say(join(page, "\n"), stdout);
}

bool prints_colours() { return has_colour(stdout); }

void print_tinted(const std::vector<TintedText>& pieces) {
  std::string text;
  for (const TintedText& piece : pieces) {
    const std::string code = "38;5;" + std::to_string(piece.colour);
    const std::string shown = visible(piece.text);
    text += piece.colour == 0 ? shown : coloured(shown, code.c_str(), stdout);
  }
  say(text, stdout);
}

void print_error(std::string_view message) {
  const char* gap = message.starts_with('\n') ? "" : " ";
  say(coloured("error:", kBoldRed, stderr) + gap + visible(message) + "\n", stderr);
}

void print_warning(std::string_view text) { say("warning: " + visible(text) + "\n", stderr); }

void print_note(std::string_view text) { say("note: " + visible(text) + "\n", stderr); }

void say_next(const std::string& command) { say_next(std::vector<std::string>{command}); }

void say_next(const std::vector<std::string>& commands) {
  const std::string text = visible("next: " + join(commands, "\n      "));
  say(coloured(text, kDim, stderr) + "\n", stderr);
}

size_t progress_width() {
  if (isatty(fileno(stderr)) != 1) return 0;
  const size_t columns = columns_of(stderr);
  return columns == 0 ? kPageWidth : columns;
}

// One column stays free: a full line makes some terminals begin the next.
size_t passing_width() { return is_capable(stderr) ? progress_width() - 1 : 0; }

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string value = environment(name); !value.empty())
      return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
  return false;
}

void say_progress(const std::vector<std::string>& parts) {
  const size_t width = isatty(fileno(stderr)) == 1 ? columns_of(stderr) : 0;
  say(visible(filled(parts, width)) + "\n", stderr);
}

void show_passing(const std::vector<std::string>& parts) {
  const size_t width = passing_width();
  if (width == 0) return;
  const std::string text = first_letters(visible(join(parts, "  ")), width);
  const std::lock_guard lock(screen().mutex);
  put(kClearLine + text, stderr);
  std::fflush(stderr);
  screen().has_passing_line = true;
}

}  // namespace hearth
