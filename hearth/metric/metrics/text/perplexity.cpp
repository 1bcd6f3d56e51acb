// Among how many equally likely tokens the network seems to choose.
#include "hearth/metric/metrics/text/perplexity.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/log_loss_sum.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

struct Perplexity : LogLossSum {
  static constexpr const char* kName = "perplexity";
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
