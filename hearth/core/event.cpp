// An event of a run as a line of JSON.
#include "hearth/core/event.h"

#include <cmath>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/format/json.h"

namespace hearth {
namespace {

// JSON has no infinity and no NaN: they are written as text and read back.
Json event_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

std::optional<double> event_number_from(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "nan") return std::nan("");
  if (json == "inf") return INFINITY;
  if (json == "-inf") return -INFINITY;
  return std::nullopt;
}

// A whole number from 0 to what 63 bits hold; nothing for anything else.
std::optional<int64_t> event_count(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() &&
      found->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  const auto count = found->get<int64_t>();
  return count < 0 ? std::nullopt : std::optional(count);
}

std::optional<Json> parsed_line(std::string_view line) {
  try {
    return parse_json(line, "an event");
  } catch (const DataError&) {
    return std::nullopt;
  }
}

bool read_values(const Json& values, Event& event) {
  if (!values.is_object()) return false;
  for (const auto& [key, value] : values.items()) {
    const auto number = event_number_from(value);
    if (!number) return false;
    event.values.emplace_back(key, *number);
  }
  return true;
}

}  // namespace

std::string to_line(const Event& event) {
  nlohmann::ordered_json line = {
      {"event", event.kind}, {"step", event.step}, {"epoch", event.epoch}};
  for (const auto& [key, value] : event.values) line["values"][key] = event_number(value);
  if (!event.details.is_null()) line["details"] = event.details;
  line["time"] = event.time;
  // A file's name in a message may be anything, also no UTF-8.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::optional<Event> event_from(std::string_view line) {
  const std::optional<Json> json = parsed_line(line);
  if (!json || !json->is_object()) return std::nullopt;
  const auto kind = json->find("event");
  const auto step = event_count(*json, "step");
  const auto epoch = event_count(*json, "epoch");
  if (kind == json->end() || !kind->is_string() || !step || !epoch) return std::nullopt;
  Event event;
  event.kind = kind->get<std::string>();
  event.step = *step;
  event.epoch = *epoch;
  if (const auto time = json->find("time"); time != json->end()) {
    if (!time->is_number()) return std::nullopt;
    event.time = time->get<double>();
  }
  if (const auto values = json->find("values"); values != json->end())
    if (!read_values(*values, event)) return std::nullopt;
  if (const auto details = json->find("details"); details != json->end()) {
    if (!details->is_object()) return std::nullopt;
    event.details = *details;
  }
  return event;
}

}  // namespace hearth
