// Share of samples whose highest score is the label's, counted in whole numbers.
#include "hearth/metrics/metrics/accuracy.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/metrics/metric.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
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

  void reset() override { correct_ = total_ = 0; }
  void update(std::span<const at::Tensor> inputs) override {
    correct_ += inputs[0].argmax(1).eq(inputs[1]).sum().item<int64_t>();
    total_ += inputs[1].numel();
  }
  void merge(const Metric& other) override {
    const auto& same = dynamic_cast<const AccuracyMetric&>(other);
    correct_ += same.correct_;
    total_ += same.total_;
  }
  [[nodiscard]] double value() const override {
    if (total_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(correct_) / static_cast<double>(total_);
  }

  [[nodiscard]] Json state() const override { return {{"correct", correct_}, {"total", total_}}; }
  void restore(const Json& state) override {
    correct_ = state.at("correct").get<int64_t>();
    total_ = state.at("total").get<int64_t>();
  }

 private:
  AccuracyOptions options_;
  int64_t correct_ = 0;
  int64_t total_ = 0;
};

}  // namespace

const Schema<AccuracyOptions>& AccuracyOptions::schema() {
  using O = AccuracyOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Keys of the scores and of the class numbers.")
          .field(&O::out, "out", "Name the value is reported under.", not_empty())
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<Metric> accuracy(AccuracyOptions options) { return choose<Metric>("accuracy", options); }

void register_accuracy(Registry<Metric>& metrics) {
  metrics.add<AccuracyMetric>("accuracy", "Share of samples whose highest score is the label's.");
}

}  // namespace hearth
