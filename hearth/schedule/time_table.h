// Times with values, as a file holds them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/time.h"

namespace hearth {

struct TimeTable {
  std::vector<Time> times;  // rising, of one unit
  std::vector<double> values;
};

struct TimeTableColumns {
  std::optional<std::string> value;  // left out: `value`, or the only one beside the time's
  std::optional<TimeUnit> unit;      // left out: what the header says, or steps
};

// Reads CSV: a column of times, called step, epoch, sample or percent or else the first one, and a
// column of values. DataError names `what:line`.
[[nodiscard]] TimeTable read_time_table(std::string_view text, const std::string& what,
                                        const TimeTableColumns& columns);

}  // namespace hearth
