// Share of samples whose label is among the k highest scores.
#include "hearth/metric/metrics/classification/top_k.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/batch_share.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/metric.h"
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

class TopK : public Metric {
 public:
  using Options = TopKOptions;
  explicit TopK(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return true; }
  void check(const std::vector<Spec>& inputs) override {
    check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
    if (options_.k >= inputs[0].shape.front())
      throw GraphError("counts a label among the " + std::to_string(options_.k) +
                       " highest scores, but " + quote(options_.in[0]) + " has only " +
                       std::to_string(inputs[0].shape.front()) +
                       ", so that every answer would be right. Use a smaller k.");
  }

  void reset() override { share_ = {}; }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    const at::Tensor numbers = class_numbers(inputs[1]);
    const at::Tensor can_be_right = is_class(numbers, inputs[0].size(1));
    share_.right.add((ranks(inputs[0], numbers) < options_.k).bitwise_and(can_be_right).sum());
    add_counted(numbers, share_.total);
  }
  void merge(const Metric& other) override { share_.add(dynamic_cast<const TopK&>(other).share_); }
  [[nodiscard]] Measured measured() const override { return share_.value(); }
  [[nodiscard]] State state() const override { return share_.state(); }
  void restore(const State& state) override { share_.restore(state); }

 private:
  Options options_;
  BatchShare share_;
};

}  // namespace

const Schema<TopKOptions>& TopKOptions::schema() {
  using O = TopKOptions;
  static const auto fields =
      class_answers_schema<O>()
          .field(&O::k, "k", "How many of the highest scores the label may be among.", at_least(1))
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return fields;
}

Choice<Metric> top_k(TopKOptions options) { return choose<Metric>("top_k", options); }

void register_top_k(Registry<Metric>& metrics) {
  metrics.add<TopK>("top_k", "Share of samples whose label is among the k highest scores.");
}

}  // namespace hearth::metrics
