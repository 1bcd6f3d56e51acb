// How many edits make a predicted text the true one.
#include "hearth/metric/metrics/text/edit_distance.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/metric/token_texts.h"

namespace hearth::metrics {
namespace {

struct EditDistance {
  using Options = TokenMetricOptions;
  static constexpr const char* kName = "edit_distance";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr bool kMayBeUndefined = true;
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_texts(keys); }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return text_rows(batch);
  }
  static std::vector<std::string> numbers(const Options&) { return {"normalized"}; }
  static std::vector<at::Tensor> prepared(const Options& options, const Samples& samples) {
    return {text_numbers(samples, options.texts(), 2, [](const TextPair& pair, double* numbers) {
      const auto longer = static_cast<double>(std::max(pair.guess.size(), pair.truth.size()));
      numbers[0] = static_cast<double>(hearth::edit_distance(pair));
      numbers[1] = longer == 0 ? 0 : numbers[0] / longer;
    })};
  }
  static Measured value(const Options&, const Samples& samples) {
    Measured measured(weighed_mean(samples, 0));
    measured.numbers = {{"normalized", weighed_mean(samples, 1)}};
    return measured;
  }
};

}  // namespace

Choice<Metric> edit_distance(const TokenMetricOptions& options) {
  return choose<Metric>("edit_distance", options);
}

void register_edit_distance(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<EditDistance>>("edit_distance",
                                          "Mean number of tokens to substitute, insert or delete; "
                                          "with its mean by the longer of both texts.");
}

}  // namespace hearth::metrics
