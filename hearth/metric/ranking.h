// A sample as a question with documents, each with a score and how relevant it is. Nothing here
// asks the device for a value. For people who write a metric of their order.
#pragma once

#include "hearth/metric/ranking_options.h"
#include "hearth/metric/sum_metric.h"

namespace hearth {

// Double [B, D] both. Relevances of -100 stand for no document: they are 0, and score lowest.
struct Ranking {
  at::Tensor scores;
  at::Tensor relevance;
};

// GraphError unless there is a relevance for each score.
[[nodiscard]] Known check_ranking(std::span<const KeySpec> keys);
[[nodiscard]] Ranking ranking_of(const MetricBatch& batch);
// The option `k`, 0 for all, as a number that no place reaches.
[[nodiscard]] double within(int64_t k);
// From 1: of equal scores the first comes before.
[[nodiscard]] at::Tensor places_of(const Ranking& ranking);
// Double [B, D, D]: 1 where the second document scores as high as the first, or higher.
[[nodiscard]] at::Tensor at_least_as_high(const Ranking& ranking);
// Values [B], but no numbers for samples with a score that is none.
[[nodiscard]] at::Tensor where_ranked(const Ranking& ranking, const at::Tensor& values);
// What places count, [D]: 1 by the logarithm to base 2 of the place and one.
[[nodiscard]] at::Tensor discounts(const at::Tensor& like, int64_t k);
// The same for each document, [B, D]; of equal scores the mean over their places.
[[nodiscard]] at::Tensor expected_discounts(const Ranking& ranking, int64_t k);
[[nodiscard]] at::Tensor discounted_gain(const at::Tensor& relevance, const at::Tensor& discounts);

}  // namespace hearth
