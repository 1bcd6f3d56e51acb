// What the metrics of a plan came to.
#include "hearth/train/measurements.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hearth {

namespace {

void add(const Metric& metric, Measured measured, Measurements& all) {
  const auto add_number = [&](const std::string& name, double value) {
    all.numbers[name] = value;
    if (std::isnan(value) && metric.may_be_undefined()) all.undefined.insert(name);
  };
  if (measured.headline) add_number(metric.name(), *measured.headline);
  for (const auto& [number, value] : measured.numbers)
    add_number(metric.name() + "/" + number, value);
  if (measured.table) all.tables[metric.name()] = std::move(*measured.table);
}

}  // namespace

Measurements measurements_of(const std::vector<BoundMetric>& metrics) {
  Measurements all;
  for (const BoundMetric& bound : metrics)
    if (bound.metric->needs().empty()) add(*bound.metric, bound.metric->measured(), all);
  for (const BoundMetric& bound : metrics) {
    const std::vector<std::string> needs = bound.metric->needs();
    const bool is_whole = std::all_of(needs.begin(), needs.end(), [&](const std::string& name) {
      return all.numbers.contains(name);
    });
    if (!needs.empty() && is_whole)
      add(*bound.metric, bound.metric->measured_from(all.numbers), all);
  }
  return all;
}

Event table_event(const std::string& name, const Table& table, int64_t step, int64_t epoch) {
  Json details = table.to_json();
  details["name"] = name;
  return {"table", step, epoch, 0, {}, std::move(details)};
}

}  // namespace hearth
