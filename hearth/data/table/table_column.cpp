// A column of a table.
#include "hearth/data/table/table_column.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

constexpr std::array<std::pair<std::string_view, ColumnKind>, 6> kColumnKinds = {
    {{"number", ColumnKind::kNumber},
     {"category", ColumnKind::kCategory},
     {"date", ColumnKind::kDate},
     {"date_parts", ColumnKind::kDateParts},
     {"text", ColumnKind::kText},
     {"skip", ColumnKind::kSkip}}};

constexpr std::array<const char*, 5> kDateParts = {"year", "month", "day", "weekday", "hour"};
constexpr double kHourSeconds = 3600;
constexpr double kSecondsOfDay = 86'400;

}  // namespace

std::optional<ColumnKind> column_kind_from(std::string_view word) {
  for (const auto& [name, kind] : kColumnKinds)
    if (name == word) return kind;
  return std::nullopt;
}

std::vector<std::string> column_kind_words() {
  std::vector<std::string> words;
  for (const auto& [name, kind] : kColumnKinds) words.emplace_back(name);
  return words;
}

size_t number_count(ColumnKind kind) {
  if (kind == ColumnKind::kDateParts) return kDateParts.size();
  return kind == ColumnKind::kNumber || kind == ColumnKind::kDate ? 1 : 0;
}

std::vector<std::string> TableColumn::feature_names() const {
  if (kind == ColumnKind::kDate) return {name + ".days"};
  if (kind != ColumnKind::kDateParts) return {name};
  std::vector<std::string> names;
  for (const char* part : kDateParts) names.push_back(name + "." + part);
  return names;
}

void write_date(const DateTime& date, ColumnKind kind, float* into) {
  if (kind == ColumnKind::kDate) {
    *into = *date_part(date, "days");
    return;
  }
  for (const char* part : kDateParts) *into++ = *date_part(date, part);
}

std::optional<float> date_part(const DateTime& date, std::string_view part) {
  if (part == "days")
    return static_cast<float>(static_cast<double>(date.day) + date.seconds / kSecondsOfDay);
  if (part == "hour") return static_cast<float>(date.seconds / kHourSeconds);
  const CalendarDay day = calendar_day(date.day);
  if (part == "year") return static_cast<float>(day.year);
  if (part == "month") return static_cast<float>(day.month);
  if (part == "day") return static_cast<float>(day.day);
  if (part == "weekday") return static_cast<float>(day.weekday);
  return std::nullopt;
}

std::optional<double> read_table_number(std::string_view text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (text.size() > 1 && *begin == '+' && begin[1] != '-') ++begin;
  double value = 0;
  const auto [stop, code] = std::from_chars(begin, end, value);
  if (stop != end || begin == end || text.back() == ')') return std::nullopt;  // nan(payload)
  // Beyond a double's range: too small is nothing, too large is infinite.
  if (code == std::errc::result_out_of_range)
    return text.find("e-") != text.npos || text.find("E-") != text.npos ? 0 : HUGE_VAL;
  return code == std::errc() ? std::optional(value) : std::nullopt;
}

std::vector<std::string> usual_missing_texts() {
  return {"NA", "N/A", "null", "NULL", "nan", "NaN", "None"};
}

void sort_vocabulary(std::vector<std::string>& vocabulary) {
  const auto is_number = [](const std::string& text) {
    const auto number = read_table_number(text);
    return number && std::isfinite(*number);
  };
  if (!std::all_of(vocabulary.begin(), vocabulary.end(), is_number)) {
    std::sort(vocabulary.begin(), vocabulary.end());
    return;
  }
  std::sort(vocabulary.begin(), vocabulary.end(), [](const auto& left, const auto& right) {
    const double a = *read_table_number(left);
    const double b = *read_table_number(right);
    return a != b ? a < b : left < right;
  });
}

}  // namespace hearth
