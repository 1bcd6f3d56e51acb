// Edits that make the predicted words the true ones, by how many true ones there are.
#include "hearth/metric/metrics/text/word_error_rate.h"

#include "hearth/config/registry.h"
#include "hearth/metric/token_texts.h"

namespace hearth::metrics {
namespace {

struct WordErrorRate {
  using Options = TokenMetricOptions;
  static constexpr const char* kName = "word_error_rate";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr bool kMayBeUndefined = true;
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_texts(keys); }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return text_rows(batch);
  }
  static std::vector<at::Tensor> prepared(const Options& options, const Samples& samples) {
    return {text_numbers(samples, options.texts(), 2, [](const TextPair& pair, double* numbers) {
      numbers[0] = static_cast<double>(edit_distance(pair));
      numbers[1] = static_cast<double>(pair.truth.size());
    })};
  }
  static Measured value(const Options&, const Samples& samples) {
    const std::vector<double> sums = weighed_sums(samples);
    return sums[0] / sums[1];
  }
};

}  // namespace

Choice<Metric> word_error_rate(const TokenMetricOptions& options) {
  return choose<Metric>("word_error_rate", options);
}

void register_word_error_rate(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<WordErrorRate>>("word_error_rate",
                                           "Substituted, inserted and deleted words (tokens) by "
                                           "the number of true ones, over all texts.");
}

}  // namespace hearth::metrics
