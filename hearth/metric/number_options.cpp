// Options that metrics of regression share.
#include "hearth/metric/number_options.h"

#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {

const Schema<NumberMetricOptions>& NumberMetricOptions::schema() {
  static const auto fields = measured_by_weight(number_pairs_schema<NumberMetricOptions>());
  return fields;
}

}  // namespace hearth::metrics
