// Share of samples whose label is among the k highest scores.
#include "hearth/metric/metrics/classification/top_k.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/sum_metric.h"
#include "hearth/tensor/best_class.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::metrics {
namespace {

// How many classes come before the label's. As with `argmax`, the first of equal scores does, and
// NaN before every number: with k 1, this is accuracy.
at::Tensor ranks(const at::Tensor& scores, const at::Tensor& numbers) {
  const int64_t classes = scores.size(1);
  const at::Tensor at_label = numbers.clamp(0, classes - 1).unsqueeze(1);
  const at::Tensor score = scores.gather(1, at_label);
  std::vector<int64_t> sizes(static_cast<size_t>(scores.dim()), 1);
  sizes[1] = classes;
  const at::Tensor classes_before =
      at::arange(classes, at_label.options()).reshape(sizes) < at_label;
  const at::Tensor is_nan = scores.ne(scores);
  const at::Tensor label_is_nan = score.ne(score);
  const at::Tensor is_higher = (scores > score).bitwise_or(is_nan.bitwise_and(score.eq(score)));
  const at::Tensor is_equal = (scores == score).bitwise_or(is_nan.bitwise_and(label_is_nan));
  return is_higher.bitwise_or(is_equal.bitwise_and(classes_before)).sum(1);
}

// The same for one row on the host.
int64_t rank_on_host(const float* scores, int64_t classes, int64_t label) {
  const float own = scores[label];
  int64_t before = 0;
  for (int64_t i = 0; i < classes; ++i) {
    const bool is_higher = scores[i] > own || (std::isnan(scores[i]) && !std::isnan(own));
    const bool is_equal = scores[i] == own || (std::isnan(scores[i]) && std::isnan(own));
    if (is_higher || (is_equal && i < label)) ++before;
  }
  return before;
}

struct TopK {
  using Options = TopKOptions;
  static constexpr const char* kName = "top_k";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr size_t kTerms = 1;
  static Known check(const Options& options, std::span<const KeySpec> keys) {
    check_class_scores(keys[0], keys[1]);
    const std::vector<int64_t>& shape = keys[0].spec.shape;
    if (options.k >= shape.front())
      throw GraphError("counts a label among the " + std::to_string(options.k) +
                       " highest scores, but " + quote(keys[0].key) + " has only " +
                       std::to_string(shape.front()) +
                       ", so that every answer would be right. Use a smaller k.");
    return {.weighed = {shape.begin() + 1, shape.end()}};
  }
  static std::optional<std::vector<double>> quick(const Options& options, const Known&,
                                                  const MetricBatch& batch) {
    if (!are_plain_rows(batch[0], batch[1])) return std::nullopt;
    const int64_t classes = batch[0].size(1);
    const float* row = batch[0].data_ptr<float>();
    const int64_t* label = batch[1].data_ptr<int64_t>();
    double right = 0;
    for (int64_t i = 0; i < batch[1].size(0); ++i, row += classes)
      if (label[i] >= 0 && label[i] < classes && rank_on_host(row, classes, label[i]) < options.k)
        ++right;
    return std::vector<double>{static_cast<double>(counted_on_host(batch[1])), right};
  }
  static Terms terms(const Options& options, const Known&, const MetricBatch& batch) {
    const at::Tensor numbers = class_numbers(batch[1]);
    const at::Tensor can_be_right = is_class(numbers, batch[0].size(1));
    return {{(ranks(batch[0], numbers) < options.k).bitwise_and(can_be_right)},
            is_counted(numbers)};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

const Schema<TopKOptions>& TopKOptions::schema() {
  using O = TopKOptions;
  static const auto fields = measured_by_weight(class_answers_schema<O>().field(
      &O::k, "k", "How many of the highest scores the label may be among.", at_least(1)));
  return fields;
}

Choice<Metric> top_k(TopKOptions options) { return choose<Metric>("top_k", options); }

void register_top_k(Registry<Metric>& metrics) {
  metrics.add<SumMetric<TopK>>("top_k",
                               "Share of samples whose label is among the k highest scores.");
}

}  // namespace hearth::metrics
