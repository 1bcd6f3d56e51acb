// Dates and times as ISO 8601 and spreadsheets write them.
#include "hearth/format/iso_date.h"

#include <charconv>
#include <chrono>

namespace hearth {

namespace {

constexpr double kDaySeconds = 86'400;

// Takes pieces off the front of a text.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  std::optional<int> digits(size_t count, int most) {
    int value = 0;
    if (rest_.size() < count) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      value = 10 * value + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value <= most ? std::optional(value) : std::nullopt;
  }
  bool take(char letter) {
    const bool is_there = rest_.starts_with(letter);
    if (is_there) rest_.remove_prefix(1);
    return is_there;
  }
  // Of a second, after its point.
  std::optional<double> fraction() {
    double value = 0;
    double unit = 0.1;
    if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') return std::nullopt;
    for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; unit /= 10) {
      value += unit * (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  [[nodiscard]] bool is_done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<int64_t> read_day(DateReader& reader) {
  const auto year = reader.digits(4, 9999);
  const char separator = reader.take('-') ? '-' : '/';
  if (!year || *year < 1 || (separator == '/' && !reader.take('/'))) return std::nullopt;
  const auto month = reader.digits(2, 12);
  if (!month || !reader.take(separator)) return std::nullopt;
  const auto day = reader.digits(2, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

// "13:05" with or without seconds.
std::optional<double> read_time(DateReader& reader) {
  const auto hour = reader.digits(2, 23);
  if (!hour || !reader.take(':')) return std::nullopt;
  const auto minute = reader.digits(2, 59);
  if (!minute) return std::nullopt;
  double seconds = 3600.0 * *hour + 60.0 * *minute;
  if (!reader.take(':')) return seconds;
  const auto second = reader.digits(2, 60);  // a leap second is the next minute's first
  if (!second) return std::nullopt;
  seconds += *second;
  if (!reader.take('.')) return seconds;
  const auto fraction = reader.fraction();
  return fraction ? std::optional(seconds + *fraction) : std::nullopt;
}

// Seconds east of Greenwich; nothing when what stands there is no offset.
std::optional<double> read_offset(DateReader& reader) {
  if (reader.is_done() || reader.take('Z')) return 0;
  const bool is_east = reader.take('+');
  if (!is_east && !reader.take('-')) return std::nullopt;
  const auto hours = reader.digits(2, 23);
  (void)reader.take(':');
  const auto minutes = reader.digits(2, 59);
  if (!hours || !minutes) return std::nullopt;
  const double seconds = 3600.0 * *hours + 60.0 * *minutes;
  return is_east ? seconds : -seconds;
}

}  // namespace

std::optional<DateTime> parse_date(std::string_view text) {
  DateReader reader(text);
  const auto day = read_day(reader);
  if (!day) return std::nullopt;
  if (reader.is_done()) return DateTime{*day, 0};
  if (!reader.take('T') && !reader.take(' ')) return std::nullopt;
  const auto time = read_time(reader);
  const auto offset = time ? read_offset(reader) : std::nullopt;
  if (!offset || !reader.is_done()) return std::nullopt;
  DateTime date{*day, *time - *offset};
  for (; date.seconds < 0; --date.day) date.seconds += kDaySeconds;
  for (; date.seconds >= kDaySeconds; ++date.day) date.seconds -= kDaySeconds;
  return date;
}

CalendarDay calendar_day(int64_t day) {
  const std::chrono::sys_days days{std::chrono::days(day)};
  const std::chrono::year_month_day date(days);
  return {static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day()),
          static_cast<int64_t>(std::chrono::weekday(days).iso_encoding()) - 1};
}

}  // namespace hearth
