// A table's columns found, its rows checked.
#include "hearth/schedule/time_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"

namespace hearth {
namespace {

constexpr std::array<std::pair<std::string_view, TimeUnit>, 4> kTimeColumns = {
    {{"step", TimeUnit::kStep},
     {"epoch", TimeUnit::kEpoch},
     {"sample", TimeUnit::kSample},
     {"percent", TimeUnit::kPercent}}};

std::string lower_word(std::string_view text) {
  std::string word(trim(text));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return word;
}

std::optional<TimeUnit> unit_named(const std::string& word) {
  for (const auto& [name, unit] : kTimeColumns)
    if (word == name || word == std::string(name) + "s") return unit;
  return std::nullopt;
}

class TimeTableReader {
 public:
  TimeTableReader(const CsvNumbers& numbers, const std::string& what,
                  const TimeTableColumns& columns)
      : numbers_(numbers), what_(what) {
    for (const std::string& name : numbers.header) names_.push_back(lower_word(name));
    find_time(columns.unit);
    value_ = value_column(columns.value);
  }

  [[nodiscard]] TimeTable table() const {
    TimeTable table;
    for (const CsvNumbers::Row& row : numbers_.rows) {
      const double time = number(row, time_);
      if (time < 0) fail(row, "the time " + shortest_number(time) + " lies before the start.");
      if (!table.times.empty() && time <= table.times.back().value)
        fail(row, "the time " + shortest_number(time) + " does not come after " +
                      shortest_number(table.times.back().value) + " before it.");
      table.times.push_back({time, unit_});
      table.values.push_back(number(row, value_));
    }
    if (table.times.empty()) throw DataError(what_ + ": has no rows of times and values.");
    return table;
  }

 private:
  void find_time(std::optional<TimeUnit> wanted) {
    for (size_t i = 0; i < names_.size(); ++i) {
      const std::optional<TimeUnit> unit = unit_named(names_[i]);
      if (!unit || (wanted && *wanted != *unit)) continue;
      time_ = i;
      unit_ = *unit;
      return;
    }
    if (!names_.empty() && !wanted)
      throw DataError(what_ + ":1: no column is called step, epoch, sample or percent, but " +
                      join(names_, ", ") + ". Say with `unit` what the first one counts.");
    unit_ = wanted.value_or(TimeUnit::kStep);
  }

  [[nodiscard]] size_t value_column(const std::optional<std::string>& wanted) const {
    const std::string name = wanted ? lower_word(*wanted) : "value";
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<size_t>(found - names_.begin());
    if (wanted)
      throw DataError(
          what_ + ":1: there is no column " + quote(*wanted) + "." +
          (names_.empty() ? " The first line must name the columns." : did_you_mean(name, names_)));
    if (names_.size() > 2)
      throw DataError(what_ + ":1: several columns could hold the value: " + join(names_, ", ") +
                      ". Name one with `column`.");
    return time_ == 0 ? 1 : 0;
  }

  [[nodiscard]] double number(const CsvNumbers::Row& row, size_t column) const {
    if (column >= row.values.size())
      fail(row, "has " + std::to_string(row.values.size()) +
                    (row.values.size() == 1 ? " column" : " columns") + ", but column " +
                    std::to_string(column + 1) + " is needed.");
    if (!std::isfinite(row.values[column])) fail(row, "expected a finite number.");
    return row.values[column];
  }

  [[noreturn]] void fail(const CsvNumbers::Row& row, const std::string& reason) const {
    throw DataError(what_ + ":" + std::to_string(row.line) + ": " + reason);
  }

  const CsvNumbers& numbers_;
  const std::string& what_;
  std::vector<std::string> names_;  // of columns, in small letters
  size_t time_ = 0;
  size_t value_ = 1;
  TimeUnit unit_ = TimeUnit::kStep;
};

}  // namespace

TimeTable read_time_table(std::string_view text, const std::string& what,
                          const TimeTableColumns& columns) {
  const CsvNumbers numbers = parse_csv_numbers(text, what);
  return TimeTableReader(numbers, what, columns).table();
}

}  // namespace hearth
