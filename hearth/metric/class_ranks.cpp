// Metrics of how scores order samples, of each class against all others.
#include "hearth/metric/class_ranks.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

#include "hearth/metric/class_metric.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {

std::optional<RankedScores> ranked(const at::Tensor& scores, const at::Tensor& right,
                                   const at::Tensor& weights) {
  const auto [sorted, order] = scores.sort(/*stable=*/true, 0, /*descending=*/true);
  const at::Tensor rights = right.index_select(0, order).contiguous();
  const at::Tensor weighed = weights.index_select(0, order).contiguous();
  const auto* score = sorted.data_ptr<double>();
  RankedScores found;
  double last = 0;
  for (int64_t i = 0; i < sorted.size(0); ++i) {
    const double weight = weighed.data_ptr<double>()[i];
    const double share = rights.data_ptr<double>()[i];
    if (weight == 0) continue;
    if (std::isnan(score[i])) return std::nullopt;
    if (found.empty() || score[i] != last) found.emplace_back();
    last = score[i];
    found.back().of_class += weight * share;
    found.back().others += weight * (1 - share);
  }
  return found;
}

Rows class_rank_rows(const Known& known, const MetricBatch& batch) {
  const at::Tensor labels = known.is_yes_or_no ? batch[1].to(at::kLong) : class_numbers(batch[1]);
  if (known.is_yes_or_no) return {{batch[0].flatten(), labels.flatten()}, labels};
  const at::Tensor scores = batch[0].movedim(1, -1).reshape({-1, batch[0].size(1)});
  return {{scores, labels.flatten()}, labels};
}

Measured averaged_ranks(const Samples& samples, const std::string& scores,
                        const std::string& average, const std::string& name,
                        double (*number)(const RankedScores&)) {
  const bool is_logits = scores == "logits";
  at::Tensor shares = samples[0].to(at::kDouble);
  if (samples.is_yes_or_no) {
    shares = (is_logits ? at::sigmoid(shares) : shares).reshape({-1, 1});
  } else if (is_logits) {
    shares = at::softmax(shares, 1);
  }
  const int64_t classes = shares.size(1);
  const at::Tensor counted = is_class(samples[1], samples.is_yes_or_no ? 2 : classes);
  const at::Tensor weights = samples.weights.mul(counted);
  const int64_t first = samples.is_yes_or_no ? 1 : 0;
  const at::Tensor due =
      samples[1].unsqueeze(1).eq(at::arange(first, first + classes)).to(at::kDouble);
  const auto found = [&](const at::Tensor& of, const at::Tensor& right, const at::Tensor& each) {
    const auto ranks = ranked(of.contiguous(), right, each);
    return ranks ? number(*ranks) : std::numeric_limits<double>::quiet_NaN();
  };
  Measured measured;
  Table table{.corner = "class", .columns = {name, "samples"}};
  double sum = 0;
  double weighted_sum = 0;
  double scored = 0;
  double samples_scored = 0;
  for (int64_t i = 0; i < classes; ++i) {
    const double value = found(shares.select(1, i), due.select(1, i), weights);
    const double of_class = due.select(1, i).dot(weights).item<double>();
    const auto place = static_cast<size_t>(first + i);
    table.rows.push_back(place < samples.names.size() ? samples.names[place]
                                                      : std::to_string(place));
    table.cells.insert(table.cells.end(), {value, of_class});
    if (std::isnan(value)) continue;
    sum += value;
    weighted_sum += value * of_class;
    ++scored;
    samples_scored += of_class;
  }
  measured.numbers = {{"macro", share_of(sum, scored)},
                      {"micro", found(shares.flatten(), due.flatten(),
                                      weights.unsqueeze(1).expand_as(due).reshape({-1}))},
                      {"weighted", share_of(weighted_sum, samples_scored)}};
  for (const auto& [each, value] : measured.numbers)
    if (each == average) measured.headline = value;
  measured.table = std::move(table);
  return measured;
}

}  // namespace hearth
