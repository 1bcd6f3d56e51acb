// Metrics that are functions of the moments of predicted and true numbers: the mean over the
// numbers of a sample, and a table of them. For people who write one.
#pragma once

#include "hearth/metric/number_options.h"
#include "hearth/metric/number_pairs.h"

namespace hearth {

// `Formula` has `kName` and `static long double of(const Moments&)`.
template <class Formula>
struct OfMoments : Formula {
  using Options = metrics::NumberMetricOptions;
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static constexpr bool kHasColumns = true;
  static constexpr size_t kTerms = kMomentTerms;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_number_columns(keys);
  }
  static Terms terms(const Options&, const Known&, const MetricBatch& batch) {
    return moment_terms(batch);
  }
  static Measured value(const Options&, const Sums& sums) {
    return mean_of_columns(sums, Formula::kName, [&](size_t column) {
      return static_cast<double>(Formula::of(moments(sums, column)));
    });
  }
};
template <class Formula>
using MomentMetric = SumMetric<OfMoments<Formula>>;

}  // namespace hearth
