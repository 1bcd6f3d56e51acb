// Metrics that are functions of sums over samples.
#include "hearth/metric/sum_metric.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/ones_like.h>

#include <algorithm>

namespace hearth {

void SumMetricBase::reset() {
  sums_ = {};
  rows_ = {};
}

// Weight and terms of every sample, double [B, (1 + terms) * columns].
at::Tensor SumMetricBase::rows_of(const MetricBatch& batch) const {
  const Terms found = terms(batch);
  at::Tensor weights = batch.weights(found.values.front());
  if (found.counted.defined())
    weights = weights.defined() ? weights.mul(found.counted) : found.counted.to(at::kDouble);
  const auto by_sample = [&](const at::Tensor& values) {
    const at::Tensor flat = values.reshape({values.size(0), -1});
    return has_columns() ? flat : flat.sum(1, /*keepdim=*/true);
  };
  std::vector<at::Tensor> rows;
  rows.push_back(by_sample(
      weights.defined() ? weights
                        : at::ones_like(found.values.front(), at::TensorOptions(at::kDouble))));
  for (const at::Tensor& term : found.values) {
    const at::Tensor values = term.to(at::kDouble);
    // What is hidden may be anything, even not a number.
    rows.push_back(
        by_sample(weights.defined() ? values.mul(weights).masked_fill(weights.eq(0), 0) : values));
  }
  return at::cat(rows, 1);
}

void SumMetricBase::gather(const MetricBatch& batch) {
  if (batch[0].size(0) == 0) return;
  if (!is_weighed() && !is_drawn_anew())
    if (const auto quickly = quick(batch)) {
      const size_t width = term_count() + 1;
      for (size_t i = 0; i < quickly->size(); i += width)
        sums_.add(std::span(*quickly).subspan(i, width));
      return;
    }
  const at::Tensor rows = rows_of(batch);
  sums_.add(rows);
  if (is_drawn_anew()) rows_.add({rows});
}

void SumMetricBase::merge(const Metric& other) {
  const auto& same = dynamic_cast<const SumMetricBase&>(other);
  sums_.add(same.sums_);
  rows_.add(same.rows_);
}

Sums SumMetricBase::sums_of(std::vector<long double> totals) const {
  const size_t columns = has_columns() ? (totals.empty() ? std::max<size_t>(known().names.size(), 1)
                                                         : totals.size() / (term_count() + 1))
                                       : 1;
  totals.resize((term_count() + 1) * columns, 0);
  return {std::move(totals), known().names, columns};
}

Measured SumMetricBase::measured() const {
  Measured measured = value(sums_of(sums_.totals()));
  if (!is_drawn_anew()) return measured;
  const std::vector<at::Tensor> gathered = rows_.all();
  const int64_t samples = gathered.empty() ? 0 : gathered[0].size(0);
  const at::Tensor rows = gathered.empty() ? at::Tensor() : gathered[0].t();
  add_interval(
      bootstrap(), samples,
      [&](const at::Tensor& times) {
        const at::Tensor sums = at::mv(rows, times);
        const auto* sum = sums.data_ptr<double>();
        return *value(sums_of({sum, sum + sums.numel()})).headline;
      },
      measured);
  return measured;
}

State SumMetricBase::state() const {
  State state;
  sums_.save(state, "sums");
  if (is_drawn_anew()) rows_.save(state, "rows");
  return state;
}

void SumMetricBase::restore(const State& state) {
  sums_.restore(state, "sums");
  if (is_drawn_anew()) rows_.restore(state, "rows");
}

}  // namespace hearth
