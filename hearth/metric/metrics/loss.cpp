// The mean of a loss over all samples: a batch counts by its number of rows.
#include "hearth/metric/metrics/loss.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/metric/batch_mean.h"
#include "hearth/metric/metric.h"
#include "hearth/tensor/batch_loss.h"

namespace hearth::metrics {
namespace {

class LossMetric : public Metric {
 public:
  using Options = LossOptions;
  explicit LossMetric(LossOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    return {options_.in, options_.weight_by};
  }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return false; }
  void check(const std::vector<Spec>& inputs) override {
    check_batch_loss({options_.in, inputs[0]});
    if (inputs[1].is_per_batch) {
      throw GraphError("needs a key with one row for each sample in weight_by, but '" +
                       options_.weight_by + "' is " + inputs[1].text() + ". Name a data key.");
    }
  }

  void reset() override { mean_ = {}; }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    const int64_t rows = inputs[1].size(0);
    mean_.add(inputs[0], rows, static_cast<double>(rows));
  }
  void merge(const Metric& other) override {
    mean_.add(dynamic_cast<const LossMetric&>(other).mean_);
  }
  [[nodiscard]] Measured measured() const override { return mean_.value(); }
  [[nodiscard]] State state() const override { return mean_.state(); }
  void restore(const State& state) override { mean_.restore(state); }

 private:
  LossOptions options_;
  BatchMean mean_;
};

}  // namespace

const Schema<LossOptions>& LossOptions::schema() {
  using O = LossOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Key of the loss, one value a batch.", not_empty())
          .field(&O::weight_by, "weight_by", "Key whose rows say how much a batch counts.",
                 not_empty())
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return fields;
}

Choice<Metric> loss(LossOptions options) { return choose<Metric>("loss", options); }

void register_loss(Registry<Metric>& metrics) {
  metrics.add<LossMetric>("loss", "The mean of a loss over all samples.");
}

}  // namespace hearth::metrics
