// Whatever later bits depend on survives a checkpoint: metrics, traces, optimizers. Metrics also
// merge.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "hearth/config/registry.h"
#include "hearth/metrics/metric.h"
#include "hearth/optim/optimizer.h"
#include "hearth/train/trace.h"

namespace hearth {
namespace {

// What a trace sees when a metric goes 3, 2, 2, 2, ...
class FakeRun : public RunControl {
 public:
  explicit FakeRun(std::vector<std::string> names) : names_(std::move(names)) { set(3); }
  void set(double value) {
    for (const std::string& name : names_) metrics_[name] = value;
  }
  [[nodiscard]] const Moment& moment() const override { return moment_; }
  [[nodiscard]] const std::map<std::string, double>& metrics() const override { return metrics_; }
  [[nodiscard]] bool is_better_when_higher(const std::string&) const override { return false; }
  [[nodiscard]] double seconds() const override { return 1; }
  [[nodiscard]] int64_t total_epochs() const override { return 9; }
  void request_stop(const std::string&) override { log_ += "stop "; }
  void save(const std::string& name) override { log_ += "save:" + name + " "; }
  void show(const Progress&) override {}
  [[nodiscard]] const std::string& log() const { return log_; }

 private:
  std::vector<std::string> names_;
  Moment moment_{0, 0, {1, 9, 1}};
  std::map<std::string, double> metrics_;
  std::string log_;
};

class EveryTrace : public testing::TestWithParam<std::string> {};

TEST_P(EveryTrace, DecidesTheSameAfterACheckpoint) {
  const auto whole = registry<Trace>().make({GetParam(), Node::map()});
  const auto before = registry<Trace>().make({GetParam(), Node::map()});
  const auto after = registry<Trace>().make({GetParam(), Node::map()});
  FakeRun whole_run(whole->monitors());
  FakeRun resumed_run(whole->monitors());
  for (int epoch = 0; epoch < 8; ++epoch) {
    if (epoch == 1) whole_run.set(2), resumed_run.set(2);
    whole->on_epoch(whole_run);
    if (epoch == 3) after->restore(before->state());
    (epoch < 3 ? before : after)->on_epoch(resumed_run);
  }
  EXPECT_EQ(whole_run.log(), resumed_run.log());
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryTrace, testing::ValuesIn(registry<Trace>().names()),
                         [](const auto& tested) { return tested.param; });

// One batch for each key a metric may read by default.
std::vector<at::Tensor> metric_inputs(const Metric& metric, int64_t seed) {
  std::vector<at::Tensor> inputs;
  for (const std::string& key : metric.reads()) {
    if (key == "label")
      inputs.push_back((at::arange(6) + seed).remainder(4));
    else if (key == "loss")
      inputs.push_back(at::ones({}) * (0.5 + static_cast<double>(seed)));
    else
      inputs.push_back((at::arange(24).reshape({6, 4}) * (seed + 3)).remainder(7).to(at::kFloat));
  }
  return inputs;
}

class EveryMetric : public testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Metric> make() {
    return registry<Metric>().make({GetParam(), Node::map()});
  }
};

TEST_P(EveryMetric, TwoHalvesMergedEqualTheWhole) {
  const auto whole = make();
  const auto first = make();
  const auto second = make();
  for (int64_t batch = 0; batch < 4; ++batch) {
    const auto inputs = metric_inputs(*whole, batch);
    whole->update(inputs);
    (batch < 2 ? first : second)->update(inputs);
  }
  first->merge(*second);
  EXPECT_DOUBLE_EQ(first->value(), whole->value());
}

TEST_P(EveryMetric, GoesOnAfterACheckpointToTheSameBits) {
  const auto whole = make();
  const auto before = make();
  const auto after = make();
  for (int64_t batch = 0; batch < 4; ++batch) {
    const auto inputs = metric_inputs(*whole, batch);
    whole->update(inputs);
    if (batch == 2) after->restore(Json::parse(before->state().dump()));
    (batch < 2 ? before : after)->update(inputs);
  }
  EXPECT_EQ(after->value(), whole->value());
}

TEST_P(EveryMetric, ForgetsAllOnReset) {
  const auto metric = make();
  const Json empty = metric->state();
  metric->update(metric_inputs(*metric, 1));
  metric->reset();
  EXPECT_EQ(metric->state(), empty);
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryMetric, testing::ValuesIn(registry<Metric>().names()),
                         [](const auto& tested) { return tested.param; });

class EveryOptimizer : public testing::TestWithParam<std::string> {
 protected:
  struct Setup {
    at::Tensor parameter = at::ones({3, 2});
    std::unique_ptr<Optimizer> optimizer = registry<Optimizer>().make({GetParam(), Node::map()});
    Setup() { optimizer->attach({{"weight", parameter}}, Kernels::kFast, 0.9); }
    void step(int64_t step) {
      parameter.mutable_grad() =
          at::arange(6).reshape({3, 2}) * 0.1 * static_cast<double>(step + 1);
      optimizer->step({step, 0, {10, 10, 1}});
    }
  };
};

TEST_P(EveryOptimizer, GoesOnAfterACheckpointToTheSameBits) {
  Setup whole;
  Setup before;
  Setup after;
  for (int64_t step = 0; step < 6; ++step) {
    whole.step(step);
    if (step < 3) before.step(step);
    if (step == 3) {
      after.parameter.copy_(before.parameter);
      after.optimizer->restore(copy(before.optimizer->state()));
    }
    if (step >= 3) after.step(step);
  }
  EXPECT_TRUE(after.parameter.equal(whole.parameter));
  EXPECT_TRUE(after.optimizer->average(0).equal(whole.optimizer->average(0)));
}

TEST_P(EveryOptimizer, RestoresToAFreshStart) {
  Setup used;
  Setup fresh;
  const State empty = copy(used.optimizer->state());
  used.step(0);
  used.optimizer->restore(empty);
  used.parameter.fill_(1);
  used.step(1);
  fresh.step(1);
  EXPECT_TRUE(used.parameter.equal(fresh.parameter));
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryOptimizer, testing::ValuesIn(registry<Optimizer>().names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
