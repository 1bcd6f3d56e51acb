// Share of samples whose highest score is the label's, counted in whole numbers. A soft label is
// read as the class with its largest share.
#include "hearth/metric/metrics/classification/accuracy.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/metric/batch_sum.h"
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
  void check(const std::vector<Spec>& inputs) const override {
    check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
  }

  void reset() override {
    correct_ = {};
    total_ = 0;
  }
  void update(std::span<const at::Tensor> inputs) override {
    const at::Tensor& labels = inputs[1];
    const at::Tensor numbers = labels.is_floating_point() ? labels.argmax(1) : labels;
    if (const auto counted = correct_rows(inputs[0], numbers)) {
      correct_.add(*counted);
    } else {
      correct_.add(inputs[0].argmax(1).eq(numbers).sum());
    }
    total_ += numbers.numel();
  }
  void merge(const Metric& other) override {
    const auto& same = dynamic_cast<const AccuracyMetric&>(other);
    correct_.add(same.correct_);
    total_ += same.total_;
  }
  [[nodiscard]] double value() const override {
    if (total_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(correct_.total()) / static_cast<double>(total_);
  }

  [[nodiscard]] Json state() const override {
    return {{"correct", correct_.state()}, {"total", total_}};
  }
  void restore(const Json& state) override {
    correct_.restore(state.at("correct"));
    total_ = state.at("total").get<int64_t>();
  }

 private:
  AccuracyOptions options_;
  BatchSum<int64_t> correct_;
  int64_t total_ = 0;
};

}  // namespace

const Schema<AccuracyOptions>& AccuracyOptions::schema() {
  using O = AccuracyOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores and of the class numbers. Of soft labels, a share for each "
                 "class, the class with the largest share counts.")
          .field(&O::out, "out", "Name the value is reported under.", not_empty())
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<Metric> accuracy(AccuracyOptions options) { return choose<Metric>("accuracy", options); }

void register_accuracy(Registry<Metric>& metrics) {
  metrics.add<AccuracyMetric>("accuracy", "Share of samples whose highest score is the label's.");
}

}  // namespace hearth::metrics
