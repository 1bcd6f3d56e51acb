// Names of places, looking up a plan's values, and the words for a plan's faults.
#include "hearth/core/graph.h"

#include <algorithm>

#include "hearth/base/text.h"

namespace hearth {
namespace {

std::vector<PlanFault> each_once(const std::vector<PlanFault>& faults) {
  std::vector<PlanFault> merged;
  for (const PlanFault& fault : faults) {
    const auto known = std::find_if(merged.begin(), merged.end(), [&](const PlanFault& other) {
      return other.place == fault.place && other.message == fault.message;
    });
    if (known == merged.end())
      merged.push_back(fault);
    else
      known->modes.add(fault.modes);
  }
  return merged;
}

std::string modes_prefix(Modes modes, Modes compiled) {
  const std::vector<std::string> names = modes.names();
  if (modes == compiled && names.size() > 1) return "";
  return (names.size() == 1 ? "in mode " : "in modes ") + join(names, ", ") + ": ";
}

std::string fault_lines(const std::vector<PlanFault>& faults, Modes compiled) {
  std::vector<std::string> lines;
  for (const PlanFault& fault : each_once(faults))
    lines.push_back(fault.place + modes_prefix(fault.modes, compiled) + fault.message);
  return join(lines, "\n");
}

}  // namespace

PlanError::PlanError(const std::vector<PlanFault>& faults, Modes compiled)
    : GraphError(fault_lines(faults, compiled), ""), faults_(each_once(faults)) {}

std::string_view name(Place place) {
  switch (place) {
    case Place::kSource:
      return "source";
    case Place::kSample:
      return "sample";
    case Place::kBatch:
      return "batch";
    case Place::kNetwork:
      return "network";
    case Place::kRecord:
      return "record";
  }
  return "?";
}

int Plan::index_of(const std::string& key) const {
  for (size_t i = values.size(); i-- > 0;)
    if (values[i].key == key) return static_cast<int>(i);
  return -1;
}

}  // namespace hearth
