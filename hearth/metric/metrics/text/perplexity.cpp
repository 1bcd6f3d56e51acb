// Among how many equally likely tokens the network seems to choose.
#include "hearth/metric/metrics/text/perplexity.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

struct Perplexity {
  using Options = ClassShareOptions;
  static constexpr const char* kName = "perplexity";
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
  static Measured value(const Options&, const Sums& sums) { return std::exp(sums.mean(0)); }
};

}  // namespace

Choice<Metric> perplexity(const ClassShareOptions& options) {
  return choose<Metric>("perplexity", options);
}

void register_perplexity(Registry<Metric>& metrics) {
  metrics.add<SumMetric<Perplexity>>("perplexity",
                                     "e to the mean of minus the logarithm of the probability that "
                                     "the label has, over all tokens.");
}

}  // namespace hearth::metrics
