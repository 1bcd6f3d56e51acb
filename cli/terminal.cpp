// What people see: text, errors, and what to type next.
#include "cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace hearth::cli {
namespace {

constexpr const char* kBold = "1";
constexpr const char* kDim = "2";
constexpr const char* kBoldRed = "1;31";

bool has_colour(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && isatty(fileno(stream)) == 1;
}

std::string coloured(const std::string& text, const char* code, std::FILE* stream) {
  return has_colour(stream) ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

void write(std::string_view text, std::FILE* stream) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

std::string emphasised(const std::string& text) { return coloured(text, kBold, stdout); }

void print(std::string_view text) { write(text, stdout); }

void print_error(std::string_view message) {
  std::fflush(stdout);
  const char* gap = message.starts_with('\n') ? "" : " ";
  write(coloured("error:", kBoldRed, stderr) + gap + std::string(message) + "\n", stderr);
}

void say_next(std::string_view text) {
  std::fflush(stdout);
  write(coloured("next: " + std::string(text), kDim, stderr) + "\n", stderr);
}

}  // namespace hearth::cli
