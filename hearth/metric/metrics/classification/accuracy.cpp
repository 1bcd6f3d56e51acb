// Share of samples whose highest score is the label's, counted in whole numbers.
#include "hearth/metric/metrics/classification/accuracy.h"

#include "hearth/config/registry.h"
#include "hearth/metric/batch_share.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/metric.h"
#include "hearth/tensor/best_class.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::metrics {
namespace {

class AccuracyMetric : public Metric {
 public:
  using Options = AccuracyOptions;
  explicit AccuracyMetric(AccuracyOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return true; }
  void check(const std::vector<Spec>& inputs) override {
    check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
  }

  void reset() override { share_ = {}; }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    const at::Tensor numbers = class_numbers(inputs[1]);
    if (const auto counted = correct_rows(inputs[0], numbers)) {
      share_.right.add(*counted);
    } else {
      share_.right.add(inputs[0].argmax(1).eq(numbers).sum());
    }
    add_counted(numbers, share_.total);
  }
  void merge(const Metric& other) override {
    share_.add(dynamic_cast<const AccuracyMetric&>(other).share_);
  }
  [[nodiscard]] Measured measured() const override { return share_.value(); }
  [[nodiscard]] State state() const override { return share_.state(); }
  void restore(const State& state) override { share_.restore(state); }

 private:
  AccuracyOptions options_;
  BatchShare share_;
};

}  // namespace

const Schema<AccuracyOptions>& AccuracyOptions::schema() {
  using O = AccuracyOptions;
  static const auto fields = class_answers_schema<O>().field(
      &O::out, "out", "Name the value is reported under.", not_empty());
  return fields;
}

Choice<Metric> accuracy(AccuracyOptions options) { return choose<Metric>("accuracy", options); }

void register_accuracy(Registry<Metric>& metrics) {
  metrics.add<AccuracyMetric>("accuracy", "Share of samples whose highest score is the label's.");
}

}  // namespace hearth::metrics
