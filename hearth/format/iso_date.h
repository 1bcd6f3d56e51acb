// Dates and times as ISO 8601 and spreadsheets write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hearth {

struct DateTime {
  int64_t day = 0;     // since 1970-01-01
  double seconds = 0;  // of that day
};

// "2024-02-29", "2024/02/29", with or without a time behind a space or a T: "13:05", "13:05:59",
// "13:05:59.25", then Z or an offset such as +01:00, which is taken off. Nothing for other text and
// for days that no calendar has. Years 0001 to 9999.
[[nodiscard]] std::optional<DateTime> parse_date(std::string_view text);

struct CalendarDay {
  int64_t year = 1970;
  int64_t month = 1;    // 1 to 12
  int64_t day = 1;      // 1 to 31
  int64_t weekday = 3;  // 0 for Monday to 6
};
[[nodiscard]] CalendarDay calendar_day(int64_t day);

}  // namespace hearth
