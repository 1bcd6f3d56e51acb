// What metrics of the probability that labels have sum up. For people who write a metric.
#pragma once

#include "hearth/metric/class_answers.h"
#include "hearth/metric/class_options.h"

namespace hearth {

// All of a SumMetric's measure but its name and its value.
struct LogLossSum {
  using Options = metrics::ClassShareOptions;
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  static Terms terms(const Options& options, const Known& known, const MetricBatch& batch) {
    return log_loss_terms(known, options.scores, batch);
  }
  static std::optional<std::vector<double>> quick(const Options& options, const Known& known,
                                                  const MetricBatch& batch) {
    return quick_log_loss(known, options.scores, batch);
  }
};

}  // namespace hearth
