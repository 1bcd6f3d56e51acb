// Counts of a classifier's answers by class.
#include "hearth/metric/class_counting.h"

#include <ATen/ops/ones_like.h>

#include "hearth/tensor/best_class.h"

namespace hearth {

void ClassCounting::reset() {
  counts_ = BatchCounts(places(classes()), is_weighed());
  rows_ = {};
}

void ClassCounting::count(const ClassAnswers& answers, const at::Tensor& weights,
                          BatchCounts& counts) const {
  const at::Tensor found = places_of(answers);
  at::Tensor each = weights;
  if (each.defined() && found.dim() > 1) each = each.unsqueeze(1).expand_as(found);
  counts.count(found.flatten(), each.defined() ? each.flatten() : each);
}

// A pass over memory: a small step's time would else go into LibTorch's calls.
void ClassCounting::count_on_host(const at::Tensor& scores, const at::Tensor& labels) {
  int64_t* counts = counts_.places_on_host();
  const float* row = scores.data_ptr<float>();
  const int64_t* label = labels.data_ptr<int64_t>();
  for (int64_t i = 0; i < labels.size(0); ++i, row += scores.size(1))
    if (label[i] >= 0 && label[i] < classes())
      count_at(label[i], best_class(row, scores.size(1)), counts);
    else
      count_at(classes(), classes(), counts);
}

void ClassCounting::gather(const MetricBatch& batch) {
  const bool is_simple = !is_weighed() && !is_drawn_anew() && !known().is_yes_or_no;
  if (is_simple && are_plain_rows(batch[0], batch[1]) && batch[0].size(1) == classes())
    return count_on_host(batch[0], batch[1]);
  const ClassAnswers answers = known().is_yes_or_no
                                   ? yes_or_no_answers(batch[0], batch[1], threshold())
                                   : class_answers(batch[0], batch[1]);
  const at::Tensor labels = known().is_yes_or_no ? batch[1] : class_numbers(batch[1]);
  at::Tensor weights = batch.weights(labels);
  if (weights.defined()) weights = weights.flatten();
  count(answers, weights, counts_);
  if (!is_drawn_anew() || labels.size(0) == 0) return;
  const auto by_sample = [&](const at::Tensor& flat) { return flat.reshape({labels.size(0), -1}); };
  rows_.add({by_sample(answers.label), by_sample(answers.predicted),
             by_sample(weights.defined()
                           ? weights
                           : at::ones_like(answers.label, at::TensorOptions(at::kDouble)))});
}

void ClassCounting::merge(const Metric& other) {
  const auto& same = dynamic_cast<const ClassCounting&>(other);
  counts_.add(same.counts_);
  rows_.add(same.rows_);
}

Measured ClassCounting::measured() const {
  Measured measured = value(counts_.totals());
  if (!is_drawn_anew()) return measured;
  const std::vector<at::Tensor> rows = rows_.all();
  add_interval(
      bootstrap(), rows.empty() ? 0 : rows[0].size(0),
      [&](const at::Tensor& times) {
        BatchCounts counts(places(classes()), /*is_weighed=*/true);
        count({rows[0].flatten(), rows[1].flatten()}, rows[2].mul(times.unsqueeze(1)).flatten(),
              counts);
        return *value(counts.totals()).headline;
      },
      measured);
  return measured;
}

State ClassCounting::state() const {
  State state;
  counts_.save(state, "counts");
  if (is_drawn_anew()) rows_.save(state, "rows");
  return state;
}

void ClassCounting::restore(const State& state) {
  counts_.restore(state, "counts");
  if (is_drawn_anew()) rows_.restore(state, "rows");
}

}  // namespace hearth
