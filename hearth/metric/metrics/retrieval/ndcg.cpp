// Normalised discounted cumulative gain: how much of what is relevant scores high.
#include "hearth/metric/metrics/retrieval/ndcg.h"

#include <ATen/TensorOperators.h>

#include "hearth/config/registry.h"
#include "hearth/metric/ranking.h"

namespace hearth::metrics {
namespace {

struct Ndcg {
  using Options = RankingOptions;
  static constexpr const char* kName = "ndcg";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_ranking(keys); }
  static Terms terms(const Options& options, const Known&, const MetricBatch& batch) {
    const Ranking ranking = ranking_of(batch);
    const at::Tensor found =
        discounted_gain(ranking.relevance, expected_discounts(ranking, options.k));
    const at::Tensor best = std::get<0>(ranking.relevance.sort(1, /*descending=*/true));
    const at::Tensor ideal = discounted_gain(best, discounts(best, options.k));
    return {{(found / ideal).masked_fill(ideal.eq(0), 0)}};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> ndcg(const RankingOptions& options) { return choose<Metric>("ndcg", options); }

void register_ndcg(Registry<Metric>& metrics) {
  metrics.add<SumMetric<Ndcg>>(
      "ndcg",
      "Normalised discounted cumulative gain of the order of scores, by how relevant each is.");
}

}  // namespace hearth::metrics
