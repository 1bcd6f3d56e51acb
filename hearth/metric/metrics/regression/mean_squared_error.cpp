// The mean of the squares of predicted minus true numbers, and its root.
#include "hearth/metric/metrics/regression/mean_squared_error.h"

#include <ATen/TensorOperators.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

class MeanSquaredError : public Metric {
 public:
  using Options = MeanSquaredErrorOptions;
  explicit MeanSquaredError(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return false; }
  [[nodiscard]] std::vector<std::string> numbers() const override { return {"root"}; }
  void check(const std::vector<Spec>& inputs) override {
    check_number_pairs({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
  }

  void reset() override { mean_ = {}; }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    const at::Tensor errors = errors_of(inputs);
    mean_.add(errors.square().sum(), errors.numel());
  }
  void merge(const Metric& other) override {
    mean_.add(dynamic_cast<const MeanSquaredError&>(other).mean_);
  }
  // The root is of the target's own unit.
  [[nodiscard]] Measured measured() const override {
    Measured measured = mean_.value();
    measured.numbers = {{"root", std::sqrt(*measured.headline)}};
    return measured;
  }
  [[nodiscard]] State state() const override { return mean_.state(); }
  void restore(const State& state) override { mean_.restore(state); }

 private:
  Options options_;
  BatchMean mean_;
};

}  // namespace

const Schema<MeanSquaredErrorOptions>& MeanSquaredErrorOptions::schema() {
  static const auto fields = number_pairs_schema<MeanSquaredErrorOptions>();
  return fields;
}

Choice<Metric> mean_squared_error(MeanSquaredErrorOptions options) {
  return choose<Metric>("mean_squared_error", options);
}

void register_mean_squared_error(Registry<Metric>& metrics) {
  metrics.add<MeanSquaredError>(
      "mean_squared_error",
      "The mean of the squares of predicted minus true numbers, and its root.");
}

}  // namespace hearth::metrics
