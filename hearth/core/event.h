// An event of a run: one line of its log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "hearth/core/spec.h"

namespace hearth {

// `time` is the only field that differs between two equal runs.
struct Event {
  std::string kind;  // "begin", "step", "epoch", "eval", "table", "checkpoint", "end", ...
  int64_t step = 0;
  int64_t epoch = 0;
  double time = 0;  // seconds since 1970
  std::vector<std::pair<std::string, double>> values;
  Json details;  // null, or an object with what is not a number
};

// With its line end.
[[nodiscard]] std::string to_line(const Event& event);
// From a line without its end, whatever bytes it has; nothing when that is no event.
[[nodiscard]] std::optional<Event> event_from(std::string_view line);

}  // namespace hearth
