// What people say of a network.
#include "hearth/config/link_words.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr double kBitsPerByte = 8;

// The number before the letters, and them.
std::pair<std::optional<double>, std::string_view> split_unit(std::string_view text) {
  text = trim(text);
  const size_t end = text.find_last_of("0123456789.");
  if (end == text.npos) return {std::nullopt, text};
  return {read_number(text.substr(0, end + 1)), trim(text.substr(end + 1))};
}

bool is_positive(const std::optional<double>& number) {
  return number && std::isfinite(*number) && *number > 0;
}

void drop_ending(std::string_view& unit, std::string_view ending) {
  if (unit.ends_with(ending)) unit.remove_suffix(ending.size());
}

std::optional<double> prefix_factor(char letter) {
  constexpr std::array<std::pair<char, double>, 5> kPrefixes = {
      {{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}}};
  for (const auto& [prefix, factor] : kPrefixes)
    if (prefix == letter) return factor;
  return std::nullopt;
}

}  // namespace

std::optional<double> read_link_rate(std::string_view text) {
  auto [number, unit] = split_unit(text);
  drop_ending(unit, "/s");
  drop_ending(unit, "it");
  if (!is_positive(number) || unit.size() != 2) return std::nullopt;
  const std::optional<double> factor = prefix_factor(unit[0]);
  if (!factor || (unit[1] != 'b' && unit[1] != 'B')) return std::nullopt;
  return *number * *factor / (unit[1] == 'b' ? kBitsPerByte : 1);
}

std::optional<double> read_short_time(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  const auto [number, unit] = split_unit(text);
  if (!number || !std::isfinite(*number) || *number < 0) return std::nullopt;
  for (const auto& [name, seconds] : kUnits)
    if (name == unit) return *number * seconds;
  return std::nullopt;
}

}  // namespace hearth
