// What the metrics of a plan came to.
#pragma once

#include <map>
#include <set>
#include <string>

#include "hearth/core/run_log.h"
#include "hearth/core/table.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {

// By the names they are reported under, without the mode: "f1", "f1/macro".
struct Measurements {
  std::map<std::string, double> numbers;
  std::map<std::string, Table> tables;
  std::set<std::string> undefined = {};  // numbers that are none although all is well
};
// Metrics that need others' numbers come after them, and are left out when one was not measured.
[[nodiscard]] Measurements measurements_of(const std::vector<BoundMetric>& metrics);

// A table as an event of the run log; `name` has the mode: "eval/confusion".
[[nodiscard]] Event table_event(const std::string& name, const Table& table, int64_t step,
                                int64_t epoch);

}  // namespace hearth
