// How far predicted numbers are from the true ones, in the mean over all of them.
#include "hearth/metric/metrics/regression/mean_absolute_error.h"

#include <ATen/ops/maximum.h>

#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

class MeanAbsoluteError : public Metric {
 public:
  using Options = MeanAbsoluteErrorOptions;
  explicit MeanAbsoluteError(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return false; }
  void check(const std::vector<Spec>& inputs) override {
    check_number_pairs({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
  }

  void reset() override { mean_ = {}; }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    const at::Tensor errors = errors_of(inputs);
    // As `abs`, which LibTorch's `meta` device has not.
    mean_.add(at::maximum(errors, errors.neg()).sum(), errors.numel());
  }
  void merge(const Metric& other) override {
    mean_.add(dynamic_cast<const MeanAbsoluteError&>(other).mean_);
  }
  [[nodiscard]] Measured measured() const override { return mean_.value(); }
  [[nodiscard]] State state() const override { return mean_.state(); }
  void restore(const State& state) override { mean_.restore(state); }

 private:
  Options options_;
  BatchMean mean_;
};

}  // namespace

const Schema<MeanAbsoluteErrorOptions>& MeanAbsoluteErrorOptions::schema() {
  static const auto fields = number_pairs_schema<MeanAbsoluteErrorOptions>();
  return fields;
}

Choice<Metric> mean_absolute_error(MeanAbsoluteErrorOptions options) {
  return choose<Metric>("mean_absolute_error", options);
}

void register_mean_absolute_error(Registry<Metric>& metrics) {
  metrics.add<MeanAbsoluteError>("mean_absolute_error",
                                 "How far predicted numbers are from the true ones, in the mean.");
}

}  // namespace hearth::metrics
