// Names, lists and numbers as text.
#include "hearth/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <tuple>
#include <utility>

#include "hearth/base/other_words.h"

namespace hearth {

namespace {

constexpr std::ptrdiff_t kListLimit = 40;  // names that a message still may list

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

// Damerau-Levenshtein distance (optimal string alignment): a swap of neighbours counts as one edit.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

template <class... Values>
std::string formatted_text(const char* format, Values... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

// from_chars takes no plus sign; people write one.
std::string_view without_plus(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return has_plus ? text.substr(1) : text;
}

template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  text = without_plus(text);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  // Letters' case counts only between candidates that are otherwise equally near.
  const std::string lower = lower_case(name);
  for (const std::string& word : hearth_words_for(name))
    if (word != lower && std::find(candidates.begin(), candidates.end(), word) != candidates.end())
      return word;
  const size_t limit = std::max<size_t>(1, name.size() / 3);
  std::tuple<size_t, size_t> best{limit + 1, 0};
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    const size_t longest = std::max(name.size(), candidate.size());
    if (longest - std::min(name.size(), candidate.size()) > limit) continue;
    const size_t distance = edit_distance(lower, lower_case(candidate));
    if (distance >= longest || distance > limit) continue;
    const std::tuple rank{distance, edit_distance(name, candidate)};
    if (!found || rank < best) std::tie(best, found) = std::tuple{rank, &candidate};
  }
  return found ? std::optional(*found) : std::nullopt;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  if (const auto near = nearest(name, candidates)) return " Did you mean " + quote(*near) + "?";
  if (std::ssize(candidates) <= kListLimit)
    return candidates.empty() ? "" : " Known: " + join(candidates, ", ") + ".";
  const std::vector<std::string> first(candidates.begin(), candidates.begin() + kListLimit);
  return " Known: " + join(first, ", ") + " and " +
         std::to_string(std::ssize(candidates) - kListLimit) + " more.";
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != text.npos; begin = end + 1)
    parts.emplace_back(text.substr(begin, end - begin));
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string quote(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\n')
      quoted += "\\n";
    else if (letter == '\t')
      quoted += "\\t";
    else if (letter == '\r')
      quoted += "\\r";
    else if (code < 0x20 || code == 0x7f)
      quoted += formatted_text("\\x%02x", code);
    else
      quoted += letter;
  }
  return quoted + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+:,@%-";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? "'\\''" : std::string(1, letter);
  return word + "'";
}

std::string human_bytes(uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  // 1023.95 would print as 1024.0 of the smaller unit.
  for (; value >= 1023.95 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return formatted_text("%.1f %s", value, kUnits[unit]);
}

std::string human_count(uint64_t count) {
  std::string text = std::to_string(count);
  for (size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
  return text;
}

std::string human_seconds(double seconds) {
  if (!std::isfinite(seconds) || std::abs(seconds) > 1e15) return "forever";
  if (seconds < 0) return std::string("-").append(human_seconds(-seconds));
  if (seconds < 59.95) return formatted_text("%.1fs", seconds);
  const int64_t whole = std::llround(seconds);
  if (whole < 3600) {
    return formatted_text("%lldm %02llds", static_cast<long long>(whole / 60),
                          static_cast<long long>(whole % 60));
  }
  const int64_t minutes = std::llround(seconds / 60);
  return formatted_text("%lldh %02lldm", static_cast<long long>(minutes / 60),
                        static_cast<long long>(minutes % 60));
}

std::string shortest_number(double value) {
  if (std::isnan(value)) return "nan";  // its sign says nothing
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string rounded_number(double value, int digits) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::optional<int64_t> read_integer(std::string_view text) { return read_whole<int64_t>(text); }

std::optional<double> read_number(std::string_view text) {
  // from_chars would also take nan(payload).
  return text.find('(') == text.npos ? read_whole<double>(text) : std::nullopt;
}

}  // namespace hearth
