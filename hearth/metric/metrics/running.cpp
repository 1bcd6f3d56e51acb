// A number of the batch, smoothed from step to step: an exponential average, divided by the weight
// that the steps so far have, so that the first ones do not pull it to zero.
#include "hearth/metric/metrics/running.h"

#include <limits>

#include "hearth/config/registry.h"
#include "hearth/metric/batch_sum.h"
#include "hearth/metric/metric.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/batch_loss.h"

namespace hearth::metrics {
namespace {

class Running : public Metric {
 public:
  using Options = RunningOptions;
  using TimedOptions = Timed<Options>;
  explicit Running(TimedOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.fixed().in}; }
  [[nodiscard]] std::string name() const override { return options_.fixed().out; }
  [[nodiscard]] bool is_better_when_higher() const override { return false; }
  void check(const std::vector<Spec>& inputs) override {
    check_batch_loss({options_.fixed().in, inputs[0]});
  }

  void reset() override {
    sum_ = {};
    weight_ = 0;
    kept_ = 1;
  }
  void update(std::span<const at::Tensor> inputs, const Moment& moment) override {
    const double smoothing = options_.at(moment).smoothing;
    sum_.scale(smoothing);
    sum_.add(inputs[0], 1 - smoothing);
    weight_ = weight_ * smoothing + (1 - smoothing);
    kept_ *= smoothing;
  }
  // What came before fades by all that the later half smoothed.
  void merge(const Metric& other) override {
    const auto& later = dynamic_cast<const Running&>(other);
    sum_.scale(later.kept_);
    sum_.add(later.sum_);
    weight_ = weight_ * later.kept_ + later.weight_;
    kept_ *= later.kept_;
  }
  [[nodiscard]] Measured measured() const override {
    if (weight_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return sum_.total() / weight_;
  }

  [[nodiscard]] State state() const override {
    State state;
    sum_.save(state, "sum");
    state.values = {{"weight", weight_}, {"kept", kept_}};
    return state;
  }
  void restore(const State& state) override {
    sum_.restore(state, "sum");
    weight_ = state.values.at("weight").get<double>();
    kept_ = state.values.at("kept").get<double>();
  }

 private:
  TimedOptions options_;
  BatchSum<double> sum_;
  double weight_ = 0;  // of all that is in the sum
  double kept_ = 1;    // of what was there before the first batch
};

}  // namespace

const Schema<RunningOptions>& RunningOptions::schema() {
  using O = RunningOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Key of one number for the batch, such as a loss.", not_empty())
          .field(&O::smoothing, "smoothing",
                 "Share of the value that stays at every step; the batch's number makes up the "
                 "rest. It starts anew every epoch.",
                 at_least(0), below(1))
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return fields;
}

Choice<Metric> running(RunningOptions options) { return choose<Metric>("running", options); }

void register_running(Registry<Metric>& metrics) {
  metrics.add<Running>("running", "A number of the batch, smoothed from step to step.");
}

}  // namespace hearth::metrics
