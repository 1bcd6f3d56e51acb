// Whatever later bits depend on survives a checkpoint: metrics, traces, optimizers; schedules are
// functions of time. Metrics also merge.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/metric/metric.h"
#include "hearth/optim/optimizer.h"
#include "hearth/schedule/schedule.h"
#include "tests/conformance/measure_cases.h"

namespace hearth {
namespace {

void expect_same_tensors(const std::vector<NamedTensor>& left,
                         const std::vector<NamedTensor>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].first, right[i].first);
    // Values that are no numbers are the same when both are.
    EXPECT_TRUE(left[i].second.nan_to_num(-7).equal(right[i].second.nan_to_num(-7)))
        << left[i].first;
  }
}

class EveryTrace : public CaseTest<Trace, KeysCase> {
 protected:
  // The metric goes 3, 2, 2, 2, ...
  static double value_of(int64_t epoch) { return epoch == 0 ? 3 : 2; }
  static FakeRun run_for(const Trace& trace) { return fake_run(trace, GetParam().tried); }
  // Runs the step of this number, and what comes after the last of an epoch.
  static void run_step(FakeRun& run, Trace& trace, int64_t step) {
    run.run_step(trace);
    if ((step + 1) % FakeRun::kStepsPerEpoch == 0)
      run.finish_epoch(trace, value_of(step / FakeRun::kStepsPerEpoch));
  }
};

// What a run without a break asks and shows, one that was resumed does too, and ends in the same
// state. It is resumed after whole half seconds, so that who shows by the clock goes on with it.
TEST_P(EveryTrace, DecidesAndShowsTheSameAfterACheckpoint) {
  constexpr int64_t kSteps = FakeRun::kEpochs * FakeRun::kStepsPerEpoch;
  const auto whole = make();
  FakeRun whole_run = run_for(*whole);
  whole_run.begin(*whole);
  for (int64_t step = 0; step < kSteps; ++step) run_step(whole_run, *whole, step);
  whole_run.end(*whole);
  EXPECT_FALSE(whole_run.log().empty())
      << "It asked for nothing and showed nothing, so that nothing is compared. Let FakeRun in "
         "hearth/train/run_fixture.h give it a reason.";
  for (int64_t resumed = 2; resumed < kSteps; resumed += 2) {
    auto trace = make();
    FakeRun run = run_for(*trace);
    run.begin(*trace);
    for (int64_t step = 0; step < kSteps; ++step) {
      if (step == resumed) {
        const Json state = Json::parse(trace->state().dump());
        const State tensors = copy({trace->tensors(), Json::object()});
        trace = make();
        trace->restore(state);
        trace->restore_tensors(tensors);
        EXPECT_EQ(trace->state(), state);
        expect_same_tensors(trace->tensors(), tensors.tensors);
        run.restart_clock();
        run.begin(*trace);
      }
      run_step(run, *trace, step);
    }
    run.end(*trace);
    EXPECT_EQ(run.log(), whole_run.log()) << "resumed after step " << resumed;
    EXPECT_EQ(trace->state(), whole->state()) << "resumed after step " << resumed;
    expect_same_tensors(trace->tensors(), whole->tensors());
  }
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryTrace, testing::ValuesIn(all_cases<Trace, KeysCase>()),
                         kCaseName);

class EveryMetric : public CaseTest<Metric, KeysCase> {
 protected:
  // With the specs of what it reads, as a plan gives them.
  static std::unique_ptr<Metric> make_checked() {
    std::unique_ptr<Metric> metric = make();
    std::vector<Spec> specs;
    for (const std::string& key : metric->reads()) specs.push_back(GetParam().tried.spec(key));
    metric->check(specs);
    return metric;
  }
  // One batch of each key it reads, at a step of its own.
  static void gather(Metric& metric, int64_t batch) {
    std::vector<at::Tensor> inputs;
    for (const std::string& key : metric.reads())
      inputs.push_back(values_of(GetParam().tried.spec(key), batch));
    metric.update(inputs, {batch, 0, {4, 4, FakeRun::kRows}});
  }
  // As a checkpoint keeps it: tensors in memory of their own, values as text.
  static State saved(const Metric& metric) {
    State state = copy(metric.state());
    state.values = Json::parse(state.values.dump());
    return state;
  }
  static void expect_same_state(const State& left, const State& right) {
    EXPECT_EQ(left.values, right.values);
    expect_same_tensors(left.tensors, right.tensors);
  }
  static std::vector<double> all_numbers(const Metric& metric) {
    const Measured measured = metric.measured();
    std::vector<double> numbers;
    if (measured.headline) numbers.push_back(*measured.headline);
    for (const auto& [name, value] : measured.numbers) numbers.push_back(value);
    if (measured.table)
      numbers.insert(numbers.end(), measured.table->cells.begin(), measured.table->cells.end());
    return numbers;
  }
};

TEST_P(EveryMetric, TwoHalvesMergedEqualTheWhole) {
  const auto whole = make_checked();
  const auto first = make_checked();
  const auto second = make_checked();
  for (int64_t batch = 0; batch < 4; ++batch) {
    gather(*whole, batch);
    gather(batch < 2 ? *first : *second, batch);
  }
  first->merge(*second);
  EXPECT_THAT(all_numbers(*first),
              testing::Pointwise(testing::NanSensitiveDoubleEq(), all_numbers(*whole)));
}

// Two ranks that share the batches come to the bits of one that saw them all. Only what hangs on
// the order of batches by its meaning does not.
TEST_P(EveryMetric, OfTwoRanksIsThatOfOne) {
  if (GetParam().component == "running") GTEST_SKIP() << "The last batch counts most.";
  const auto whole = make_checked();
  const auto first = make_checked();
  const auto second = make_checked();
  for (int64_t batch = 0; batch < 6; ++batch) {
    gather(*whole, batch);
    gather(batch % 2 == 0 ? *first : *second, batch);
  }
  first->merge(*second);
  const std::vector<double> merged = all_numbers(*first);
  const std::vector<double> alone = all_numbers(*whole);
  ASSERT_EQ(merged.size(), alone.size());
  for (size_t i = 0; i < merged.size(); ++i)
    EXPECT_TRUE(merged[i] == alone[i] || (std::isnan(merged[i]) && std::isnan(alone[i])))
        << merged[i] << " " << alone[i];
}

TEST_P(EveryMetric, GoesOnAfterACheckpointToTheSameBits) {
  const auto whole = make_checked();
  const auto before = make_checked();
  const auto after = make_checked();
  for (int64_t batch = 0; batch < 4; ++batch) {
    gather(*whole, batch);
    if (batch == 2) after->restore(saved(*before));
    gather(batch < 2 ? *before : *after, batch);
  }
  expect_same_state(after->state(), whole->state());
}

TEST_P(EveryMetric, ForgetsAllOnReset) {
  const auto metric = make_checked();
  const State empty = saved(*metric);
  gather(*metric, 1);
  metric->reset();
  expect_same_state(metric->state(), empty);
}

TEST_P(EveryMetric, MeasuresWhatItSaidBeforeTraining) {
  const auto metric = make_checked();
  gather(*metric, 1);
  const Measured measured = metric->measured();
  EXPECT_EQ(measured.headline.has_value(), metric->has_headline());
  std::vector<std::string> names;
  for (const auto& [name, value] : measured.numbers) names.push_back(name);
  EXPECT_EQ(names, metric->numbers());
  if (measured.table) {
    EXPECT_EQ(measured.table->cells.size(),
              measured.table->rows.size() * measured.table->columns.size());
  }
  EXPECT_TRUE(metric->has_headline() || !names.empty() || measured.table);
}

TEST_P(EveryMetric, HoldsWhatItGatheredWhenItsPlanIsMadeAgain) {
  const auto metric = make_checked();
  gather(*metric, 1);
  const State before = saved(*metric);
  std::vector<Spec> specs;
  for (const std::string& key : metric->reads()) specs.push_back(GetParam().tried.spec(key));
  metric->check(specs);
  expect_same_state(metric->state(), before);
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryMetric, testing::ValuesIn(all_cases<Metric, KeysCase>()),
                         kCaseName);

class EveryOptimizer : public CaseTest<Optimizer, OptionsCase> {
 protected:
  struct Setup {
    at::Tensor parameter = at::ones({3, 2});
    std::unique_ptr<Optimizer> optimizer = make();
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
INSTANTIATE_TEST_SUITE_P(Registry, EveryOptimizer,
                         testing::ValuesIn(all_cases<Optimizer, OptionsCase>()), kCaseName);

// A schedule keeps to the range it claims, and is a function of time alone.
class EverySchedule : public CaseTest<Schedule, OptionsCase> {};

TEST_P(EverySchedule, KeepsItsRangeAndChangesWithinTheTraining) {
  fs::current_path(HEARTH_SOURCE_DIR);  // where the paths of cases start
  const TrainingLength length = {.steps_per_epoch = 5, .total_steps = 40, .batch_size = 2};
  const auto schedule = make();
  const auto [least, greatest] = schedule->range();
  for (int64_t step = 0; step <= length.total_steps; ++step) {
    const Moment moment{step, step / length.steps_per_epoch, length};
    EXPECT_GE(schedule->value(moment), least) << step;
    EXPECT_LE(schedule->value(moment), greatest) << step;
    EXPECT_EQ(make()->value(moment), schedule->value(moment)) << "it is no function of time alone";
  }
  const std::vector<int64_t> changes = schedule->changes(length);
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.front(), 0);
  EXPECT_LT(changes.back(), length.total_steps);
  EXPECT_TRUE(std::is_sorted(changes.begin(), changes.end()));
}
INSTANTIATE_TEST_SUITE_P(Registry, EverySchedule,
                         testing::ValuesIn(all_cases<Schedule, OptionsCase>()), kCaseName);

}  // namespace
}  // namespace hearth
