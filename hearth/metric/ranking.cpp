// A sample as a question with documents.
#include "hearth/metric/ranking.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

constexpr int64_t kMostDocuments = 4096;  // all are compared with all

}  // namespace

Known check_ranking(std::span<const KeySpec> keys) {
  const Spec& scores = keys[0].spec;
  const Spec& relevance = keys[1].spec;
  if (!is_floating(scores.dtype) || scores.is_per_batch || scores.shape.size() != 1 ||
      relevance.shape != scores.shape)
    throw GraphError(
        "needs a score for each document of a sample, float [B, D], and as many "
        "relevances, but " +
        quote(keys[0].key) + " is " + scores.text() + " and " + quote(keys[1].key) + " is " +
        relevance.text() + ". Name such keys.");
  if (scores.shape[0] > kMostDocuments)
    throw GraphError("compares all documents of a sample, at most " +
                     std::to_string(kMostDocuments) + ", but " + quote(keys[0].key) + " is " +
                     scores.text() + ". Let the data choose among them.");
  return {};
}

Ranking ranking_of(const MetricBatch& batch) {
  const at::Tensor is_missing = batch[1].eq(kIgnoredLabel);
  return {
      batch[0].to(at::kDouble).masked_fill(is_missing, -std::numeric_limits<double>::infinity()),
      batch[1].to(at::kDouble).masked_fill(is_missing, 0)};
}

double within(int64_t k) {
  return k == 0 ? std::numeric_limits<double>::infinity() : static_cast<double>(k);
}

at::Tensor at_least_as_high(const Ranking& ranking) {
  return (ranking.scores.unsqueeze(1) >= ranking.scores.unsqueeze(2)).to(at::kDouble);
}

at::Tensor places_of(const Ranking& ranking) {
  const at::Tensor mine = ranking.scores.unsqueeze(2);
  const at::Tensor other = ranking.scores.unsqueeze(1);
  const at::Tensor number = at::arange(ranking.scores.size(1), ranking.scores.options());
  const at::Tensor is_first = number.unsqueeze(0) < number.unsqueeze(1);
  const at::Tensor before =
      (other > mine).bitwise_or((other == mine).bitwise_and(is_first.unsqueeze(0)));
  return before.sum(2).to(at::kDouble) + 1;
}

at::Tensor where_ranked(const Ranking& ranking, const at::Tensor& values) {
  return values.masked_fill(ranking.scores.ne(ranking.scores).any(1),
                            std::numeric_limits<double>::quiet_NaN());
}

at::Tensor discounts(const at::Tensor& like, int64_t k) {
  const at::Tensor place = at::arange(1, like.size(1) + 1, like.options());
  return (place + 1).log2().reciprocal() * (place <= within(k));
}

at::Tensor expected_discounts(const Ranking& ranking, int64_t k) {
  const at::Tensor mine = ranking.scores.unsqueeze(2);
  const at::Tensor other = ranking.scores.unsqueeze(1);
  const at::Tensor higher = (other > mine).sum(2);
  const at::Tensor equal = (other == mine).sum(2);
  const at::Tensor sums = at::constant_pad_nd(discounts(ranking.scores, k).cumsum(0), {1, 0});
  const at::Tensor all = sums.unsqueeze(0).expand({mine.size(0), -1});
  // What is not a number equals nothing, not even itself: nothing by nothing.
  return (all.gather(1, higher + equal) - all.gather(1, higher)) / equal;
}

at::Tensor discounted_gain(const at::Tensor& relevance, const at::Tensor& discounts) {
  return (relevance * discounts).sum(1);
}

}  // namespace hearth

namespace hearth::metrics {

const Schema<RankingOptions>& RankingOptions::schema() {
  using O = RankingOptions;
  static const auto fields = measured_by_weight(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores of each sample's documents and of how relevant these are, as "
                 "many of each: 0 for not at all, -100 for no document.")
          .field(&O::k, "k", "How many of the highest scores count; 0: all.", at_least(0))
          .check("in must name two keys: the scores and the relevances.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

}  // namespace hearth::metrics
