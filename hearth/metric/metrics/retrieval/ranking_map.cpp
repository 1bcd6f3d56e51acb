// Mean average precision: of what scores as high as each relevant one, the share that is relevant.
#include "hearth/metric/metrics/retrieval/ranking_map.h"

#include <ATen/TensorOperators.h>

#include "hearth/config/registry.h"
#include "hearth/metric/ranking.h"

namespace hearth::metrics {
namespace {

struct RankingMap {
  using Options = RankingOptions;
  static constexpr const char* kName = "ranking_map";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_ranking(keys); }
  static Terms terms(const Options& options, const Known&, const MetricBatch& batch) {
    const Ranking ranking = ranking_of(batch);
    const at::Tensor is_relevant = ranking.relevance.gt(0).to(at::kDouble);
    const at::Tensor as_high =
        at_least_as_high(ranking);  // [B, D, D]: the second as high as the first
    const at::Tensor all = as_high.sum(2);
    const at::Tensor right = as_high.mul(is_relevant.unsqueeze(1)).sum(2);
    const at::Tensor counted = is_relevant * (all <= within(options.k));
    const at::Tensor precision = (right / all.clamp_min(1) * counted).sum(1);
    return {{where_ranked(ranking, precision / is_relevant.sum(1).clamp_min(1))}};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> ranking_map(const RankingOptions& options) {
  return choose<Metric>("ranking_map", options);
}

void register_ranking_map(Registry<Metric>& metrics) {
  metrics.add<SumMetric<RankingMap>>("ranking_map",
                                     "Mean average precision of the order of scores: the share of "
                                     "relevant ones among those that score as high as each.");
}

}  // namespace hearth::metrics
