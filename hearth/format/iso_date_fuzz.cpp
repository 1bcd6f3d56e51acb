// Fuzzes dates and times.
#include <cstdlib>

#include "hearth/format/iso_date.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto date = hearth::parse_date({reinterpret_cast<const char*>(data), size});
  if (!date) return 0;
  const hearth::CalendarDay day = hearth::calendar_day(date->day);
  if (day.month < 1 || day.month > 12 || day.weekday < 0 || day.weekday > 6) std::abort();
  if (!(date->seconds >= 0 && date->seconds < 86'400)) std::abort();
  return 0;
}
