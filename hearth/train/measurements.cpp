// What the metrics of a plan came to.
#include "hearth/train/measurements.h"

#include <nlohmann/json.hpp>

namespace hearth {

Measurements measurements_of(const std::vector<BoundMetric>& metrics) {
  Measurements all;
  for (const BoundMetric& bound : metrics) {
    const std::string name = bound.metric->name();
    Measured measured = bound.metric->measured();
    if (measured.headline) all.numbers[name] = *measured.headline;
    for (const auto& [number, value] : measured.numbers) all.numbers[name + "/" + number] = value;
    if (measured.table) all.tables[name] = std::move(*measured.table);
  }
  return all;
}

Event table_event(const std::string& name, const Table& table, int64_t step, int64_t epoch) {
  Json details = table.to_json();
  details["name"] = name;
  return {"table", step, epoch, 0, {}, std::move(details)};
}

}  // namespace hearth
