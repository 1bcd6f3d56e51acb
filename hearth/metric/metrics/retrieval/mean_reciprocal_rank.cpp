// One by the place of the first relevant score.
#include "hearth/metric/metrics/retrieval/mean_reciprocal_rank.h"

#include <ATen/TensorOperators.h>

#include "hearth/config/registry.h"
#include "hearth/metric/ranking.h"

namespace hearth::metrics {
namespace {

struct MeanReciprocalRank {
  using Options = RankingOptions;
  static constexpr const char* kName = "mean_reciprocal_rank";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_ranking(keys); }
  static Terms terms(const Options& options, const Known&, const MetricBatch& batch) {
    const Ranking ranking = ranking_of(batch);
    const at::Tensor places = places_of(ranking);
    const at::Tensor is_found = ranking.relevance.gt(0).bitwise_and(places <= within(options.k));
    return {{where_ranked(ranking, std::get<0>((is_found / places).max(1)))}};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> mean_reciprocal_rank(const RankingOptions& options) {
  return choose<Metric>("mean_reciprocal_rank", options);
}

void register_mean_reciprocal_rank(Registry<Metric>& metrics) {
  metrics.add<SumMetric<MeanReciprocalRank>>(
      "mean_reciprocal_rank",
      "Mean of one by the place of the first relevant score; 0 where none is among the first k.");
}

}  // namespace hearth::metrics
