// What every metric has in common.
#include "hearth/metric/metric.h"

namespace hearth {

std::vector<std::string> reported_names(const Metric& metric) {
  std::vector<std::string> names;
  if (metric.has_headline()) names.push_back(metric.name());
  for (const std::string& number : metric.numbers()) names.push_back(metric.name() + "/" + number);
  return names;
}

}  // namespace hearth
