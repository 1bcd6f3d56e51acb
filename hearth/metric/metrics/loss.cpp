// The mean of a loss over all samples: a batch counts by its number of rows or, where the loss
// leaves out or weighs samples or places, by the sum of their weights.
#include "hearth/metric/metrics/loss.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/metric/batch_mean.h"
#include "hearth/metric/keyed_metric.h"
#include "hearth/metric/metric.h"
#include "hearth/tensor/batch_loss.h"
#include "hearth/tensor/sample_weights.h"

namespace hearth::metrics {
namespace {

class LossMetric : public Metric {
 public:
  using Options = LossOptions;
  explicit LossMetric(LossOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = {options_.in, options_.weight_by};
    for (const std::string& key : {options_.weight, options_.mask})
      if (!key.empty()) keys.push_back(key);
    return keys;
  }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return false; }
  void check(const std::vector<Spec>& inputs) override {
    check_batch_loss({options_.in, inputs[0]});
    if (inputs[1].is_per_batch) {
      throw GraphError("needs a key with one row for each sample in weight_by, but '" +
                       options_.weight_by + "' is " + inputs[1].text() + ". Name a data key.");
    }
    size_t next = 2;
    if (!options_.weight.empty()) {
      const Spec& weight = inputs[next++];
      check_weight({options_.weight, weight}, "weight", weight.shape, "loss");
    }
    if (!options_.mask.empty())
      check_mask({options_.mask, inputs[next]}, inputs[next].shape, "loss");
  }

  void reset() override {
    mean_ = {};
    weights_ = {};
  }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    if (is_weighed()) return add_weighed(inputs);
    const int64_t rows = inputs[1].size(0);
    mean_.add(inputs[0], rows, static_cast<double>(rows));
  }
  void merge(const Metric& other) override {
    const auto& more = dynamic_cast<const LossMetric&>(other);
    mean_.add(more.mean_);
    weights_.add(more.weights_);
  }
  [[nodiscard]] Measured measured() const override {
    return is_weighed() ? mean_.sum() / weights_.total() : mean_.value();
  }
  [[nodiscard]] State state() const override {
    State state = mean_.state();
    if (is_weighed()) weights_.save(state, "weights");
    return state;
  }
  void restore(const State& state) override {
    mean_.restore(state);
    if (is_weighed()) weights_.restore(state, "weights");
  }

 private:
  [[nodiscard]] bool is_weighed() const {
    return !options_.weight.empty() || !options_.mask.empty();
  }
  // A loss of which nothing counts is of no sample.
  void add_weighed(std::span<const at::Tensor> inputs) {
    MetricBatch batch{inputs};
    size_t next = 2;
    if (!options_.weight.empty()) batch.weight = inputs[next++];
    if (!options_.mask.empty()) batch.mask = inputs[next];
    const bool by_weight =
        !batch.mask.defined() || (batch.weight.defined() && batch.weight.dim() > batch.mask.dim());
    const at::Tensor total = batch.weights(by_weight ? batch.weight : batch.mask).sum();
    mean_.add(inputs[0].to(at::kDouble).mul(total).masked_fill(total.eq(0), 0), 0);
    weights_.add(total);
  }

  LossOptions options_;
  BatchMean mean_;  // its sum alone, where weights are what is counted
  BatchSum<double> weights_;
};

}  // namespace

const Schema<LossOptions>& LossOptions::schema() {
  using O = LossOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Key of the loss, one value a batch.", not_empty())
          .field(&O::weight_by, "weight_by", "Key whose rows say how much a batch counts.",
                 not_empty())
          .field(&O::weight, "weight",
                 "Key of the weights that the loss has, of samples or places: a batch counts by "
                 "their sum. Left out: all count the same.")
          .field(&O::mask, "mask",
                 "Key of the mask that the loss has: a batch counts by what it shows. Left out: "
                 "all.")
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return fields;
}

Choice<Metric> loss(LossOptions options) { return choose<Metric>("loss", options); }

void register_loss(Registry<Metric>& metrics) {
  metrics.add<LossMetric>("loss", "The mean of a loss over all samples.");
}

}  // namespace hearth::metrics
