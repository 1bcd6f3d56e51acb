// The mean of a loss over all samples: a batch counts by its number of rows.
#include "hearth/metric/metrics/loss.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/metric/batch_sum.h"
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
  void check(const std::vector<Spec>& inputs) const override {
    check_batch_loss({options_.in, inputs[0]});
    if (inputs[1].is_per_batch) {
      throw GraphError("needs a key with one row for each sample in weight_by, but '" +
                       options_.weight_by + "' is " + inputs[1].text() + ". Name a data key.");
    }
  }

  void reset() override {
    sum_ = {};
    rows_ = 0;
  }
  void update(std::span<const at::Tensor> inputs) override {
    const int64_t rows = inputs[1].size(0);
    sum_.add(inputs[0], static_cast<double>(rows));
    rows_ += rows;
  }
  void merge(const Metric& other) override {
    const auto& same = dynamic_cast<const LossMetric&>(other);
    sum_.add(same.sum_);
    rows_ += same.rows_;
  }
  [[nodiscard]] double value() const override {
    if (rows_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return sum_.total() / static_cast<double>(rows_);
  }

  [[nodiscard]] Json state() const override { return {{"sum", sum_.state()}, {"rows", rows_}}; }
  void restore(const Json& state) override {
    sum_.restore(state.at("sum"));
    rows_ = state.at("rows").get<int64_t>();
  }

 private:
  LossOptions options_;
  BatchSum<double> sum_;
  int64_t rows_ = 0;
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
