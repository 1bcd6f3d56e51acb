// Metrics that need all samples at once.
#include "hearth/metric/gather_metric.h"

#include <ATen/ops/mv.h>
#include <ATen/ops/ones.h>
#include <c10/core/GradMode.h>

#include <limits>

namespace hearth {

void GatherMetricBase::gather(const MetricBatch& batch) {
  if (batch[0].size(0) == 0) return;
  Rows found = rows(batch);
  if (is_weighed()) found.columns.push_back(batch.weights(found.like).flatten());
  rows_.add(found.columns);
}

void GatherMetricBase::merge(const Metric& other) {
  rows_.add(dynamic_cast<const GatherMetricBase&>(other).rows_);
}

State GatherMetricBase::state() const {
  State state;
  rows_.save(state, "rows");
  return state;
}

std::optional<Samples> GatherMetricBase::samples() const {
  Samples samples{rows_.all(), {}, known().names, known().is_yes_or_no};
  if (samples.columns.empty()) return std::nullopt;
  if (is_weighed()) {
    samples.weights = samples.columns.back();
    samples.columns.pop_back();
    const at::Tensor counted = samples.weights.ne(0).nonzero().flatten();
    samples.weights = samples.weights.index_select(0, counted);
    for (at::Tensor& column : samples.columns) column = column.index_select(0, counted);
  } else {
    samples.weights = at::ones({samples.columns.front().size(0)}, at::kDouble);
  }
  if (samples.weights.size(0) == 0) return std::nullopt;
  return samples;
}

Measured GatherMetricBase::nothing() const {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  Measured measured;
  if (has_headline()) measured.headline = kNothing;
  for (const std::string& name : numbers()) measured.numbers.emplace_back(name, kNothing);
  return measured;
}

Measured GatherMetricBase::measured() const {
  const c10::AutoGradMode no_grad(false);
  std::optional<Samples> gathered = samples();
  if (!gathered) return nothing();
  gathered = prepared(std::move(*gathered));
  Measured measured = value(*gathered);
  add_interval(
      bootstrap(), gathered->weights.size(0),
      [&](const at::Tensor& times) {
        Samples drawn = *gathered;
        drawn.weights = gathered->weights.mul(times);
        return *value(drawn).headline;
      },
      measured);
  return measured;
}

std::vector<double> weighed_sums(const Samples& samples) {
  const at::Tensor sums = at::mv(samples[0].t(), samples.weights);
  const auto* first = sums.data_ptr<double>();
  return {first, first + sums.numel()};
}

double weighed_mean(const Samples& samples, int64_t index) {
  return weighed_sums(samples)[static_cast<size_t>(index)] / samples.weights.sum().item<double>();
}

}  // namespace hearth
