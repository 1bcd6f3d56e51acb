// Components that time switches on and off: at the very step, in data, network and measures.
#include <gtest/gtest.h>

#include <filesystem>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/metric/metrics/loss.h"
#include "hearth/metric/metrics/running.h"
#include "hearth/schedule/schedules/linear.h"
#include "hearth/schedule/schedules/piecewise.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/windows_fixture_test.h"

namespace hearth {
namespace {

Steps steps_with(const Choice<NetworkOp>& op) {
  ExperimentOptions options = timed_experiment();
  options.network.push_back(op);
  (void)fit(options);
  return noted;
}

TEST(Windows, OpenAndCloseAtTheVeryStep) {
  EXPECT_EQ(steps_with(note().from(steps(3)).until(steps(6))), (Steps{3, 4, 5}));
  EXPECT_EQ(steps_with(note().from(percent(50))), (Steps{6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(steps_with(note().from(samples(80))), (Steps{10, 11}));
}

TEST(Windows, RepeatEverySoManySteps) {
  EXPECT_EQ(steps_with(note().every(steps(3))), (Steps{0, 3, 6, 9}));
  EXPECT_EQ(steps_with(note().every(steps(5)).offset(steps(1))), (Steps{1, 6, 11}));
  EXPECT_EQ(steps_with(note().every(steps(2)).from(steps(5)).until(steps(9))), (Steps{6, 8}));
  EXPECT_EQ(steps_with(note().every(percent(25))), (Steps{0, 3, 6, 9}));
}

TEST(Windows, RepeatEverySoManyEpochsForAllOfTheirSteps) {
  EXPECT_EQ(steps_with(note().every(epochs(2))), (Steps{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(steps_with(note().every(epochs(2)).offset(epochs(1))), (Steps{4, 5, 6, 7}));
}

TEST(Windows, OfDataOpsHoldForTheBatchesOfTheirSteps) {
  for (const int64_t workers : {0, 2}) {
    ExperimentOptions options = timed_experiment();
    options.data.workers = workers;
    options.data.depth = 3;
    options.data.ops = {set_to(1), set_to(2).every(steps(3)),
                        set_to(7).from(steps(5)).until(steps(8))};
    options.network.push_back(note("image"));
    (void)fit(options);
    EXPECT_EQ(noted_values, (std::vector<double>{2, 1, 1, 2, 1, 7, 7, 7, 1, 2, 1, 1}));
  }
}

TEST(Windows, CountStepsOfSeveralBatches) {
  ExperimentOptions options = timed_experiment();
  options.network[2] = network_ops::update({.accumulate = 2});
  options.network.push_back(note().from(percent(50)));
  const Report report = fit(options);
  EXPECT_EQ(report.steps, 6);
  EXPECT_EQ(noted, (Steps{3, 3, 4, 4, 5, 5}));
}

TEST(Windows, LetAccumulationChangeWithEpochs) {
  ExperimentOptions options = timed_experiment();
  options.network[2] = network_ops::update().with(
      "accumulate", schedules::piecewise({.values = {1, 2, 4}, .at = {epochs(1), epochs(2)}}));
  EXPECT_EQ(fit(options).steps, 7);
}

TEST(Windows, OfAMetricLeaveOutEpochsWithoutABatch) {
  ExperimentOptions options = timed_experiment();
  options.metrics = {metrics::loss().every(epochs(2)),
                     metrics::accuracy({.in = {"logits", "label"}}).from(steps(9))};
  std::map<std::string, int> epochs_with;
  Estimator estimator(options, {.on_progress = {}, .keeps_run = false});
  const Report report = estimator.fit();
  EXPECT_TRUE(report.metrics.contains("train/loss"));
  EXPECT_TRUE(report.metrics.contains("train/accuracy"));
  options.train.epochs = 2;
  const Report shorter = fit(options);
  EXPECT_FALSE(shorter.metrics.contains("train/loss"));
  EXPECT_FALSE(shorter.metrics.contains("train/accuracy"));
}

TEST(Windows, OfAnEvaluationSetSkipEpochs) {
  ExperimentOptions options = timed_experiment();
  const auto held_out = sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = {{"clean", held_out}, {"noisy", held_out}};
  options.data.windows["eval.noisy"] = {.every = epochs(2)};
  options.metrics = {metrics::loss()};
  EXPECT_TRUE(fit(options).metrics.contains("eval.noisy/loss"));
  options.train.epochs = 2;
  const Report report = fit(options);
  EXPECT_FALSE(report.metrics.contains("eval.noisy/loss"));
  EXPECT_TRUE(report.metrics.contains("eval.clean/loss"));
}

// What is measured again, from a checkpoint, is what was measured in training: at the same moment.
TEST(Windows, OfMeasuresAreThoseOfTheCheckpoint) {
  ExperimentOptions options = timed_experiment();
  options.data.eval = sources::synthetic({.size = 40, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
  options.metrics = {
      metrics::running().with("smoothing", schedules::linear({.first = 0.1, .last = 0.9})),
      metrics::loss().from(epochs(2))};
  Estimator whole(options);
  const Report report = whole.fit();
  const Report again = Estimator::open(report.run_folder, "last").evaluate(Mode::kEval);
  for (const std::string name : {"eval/running_loss", "eval/loss"})
    EXPECT_EQ(again.metrics.at(name), report.metrics.at(name)) << name;
  EXPECT_EQ(again.steps, 12);
  const std::filesystem::path exported = std::filesystem::path(report.run_folder) / "exported";
  Estimator::open(report.run_folder, "last").export_model(exported);
  EXPECT_EQ(Estimator::open(exported).evaluate(Mode::kEval).metrics.at("eval/loss"),
            report.metrics.at("eval/loss"));
}

TEST(Windows, OfAnEvaluationSetMustNameOne) {
  ExperimentOptions options = timed_experiment();
  const auto held_out = sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = {{"clean", held_out}, {"noisy", held_out}};
  options.data.windows["eval.nosy"] = {.every = epochs(2)};
  EXPECT_EQ(message_of<ConfigError>([&] { Estimator(options, {.keeps_run = false}); }),
            "data.windows: there is no evaluation set 'eval.nosy' for which time could matter. Did "
            "you mean 'eval.noisy'?");
}

Steps plan_steps(const ExperimentOptions& options, Mode mode = Mode::kTrain) {
  ExperimentGraph graph(options);
  graph.open_sources();
  Steps steps;
  for (const Moment& moment : graph.plan_moments(mode)) steps.push_back(moment.step);
  return steps;
}

TEST(Windows, AreEnumeratedBeforeTraining) {
  ExperimentOptions options = timed_experiment();
  EXPECT_EQ(plan_steps(options), (Steps{0}));
  options.network.push_back(note().every(steps(5)).from(steps(3)));
  EXPECT_EQ(plan_steps(options), (Steps{0, 5}));
  options.models["net"].groups = {{.match = {"*"}, .lr_factor = 0.5, .from = steps(7)}};
  EXPECT_EQ(plan_steps(options), (Steps{0, 5, 7, 10}));
  options.metrics = {metrics::loss().every(epochs(2))};
  EXPECT_EQ(plan_steps(options), (Steps{0, 4, 5, 7, 8, 10}));
}

// Two updates that take turns, ops that come and go, and a checkpoint at every step.
ExperimentOptions busy_experiment() {
  ExperimentOptions options = timed_experiment();
  options.train.warm_up = true;
  options.models["other"] = options.models["net"];
  options.data.ops = {set_to(0.5).every(steps(5)).when(Mode::kTrain)};
  options.network = {network_ops::call(),
                     network_ops::cross_entropy(),
                     network_ops::update({.accumulate = 2}).every(steps(2)),
                     network_ops::call({.model = "other", .out = {"others"}}),
                     network_ops::cross_entropy({.in = {"others", "label"}, .out = "other_loss"}),
                     network_ops::update({.model = "other", .loss = "other_loss", .accumulate = 3})
                         .from(percent(25))};
  options.metrics = {metrics::loss().every(steps(2))};
  options.train.checkpoint = {.every = steps(1), .keep = 100};
  return options;
}

TEST(Windows, ResumeToTheSameBits) {
  ExperimentOptions options = busy_experiment();
  std::filesystem::remove_all(options.folder);
  Report report;
  std::string digest;
  {
    Estimator whole(options);
    report = whole.fit();
    digest = whole.state_digest();
  }
  const std::filesystem::path folder = report.run_folder;
  std::vector<std::filesystem::path> checkpoints;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
    checkpoints.push_back(entry.path());
  std::sort(checkpoints.begin(), checkpoints.end());
  ASSERT_GE(checkpoints.size(), 5U);
  // From the newest to the oldest: each time the newest that is left is gone on with.
  for (size_t left = checkpoints.size(); left-- > 1;) {
    std::filesystem::remove(checkpoints[left]);
    Estimator resumed = Estimator::resume(folder);
    const Report again = resumed.fit();
    EXPECT_EQ(resumed.state_digest(), digest) << "without " << checkpoints[left];
    EXPECT_EQ(again.metrics.at("train/loss"), report.metrics.at("train/loss"));
    for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
      if (entry.path() >= checkpoints[left]) std::filesystem::remove(entry.path());
  }
}

}  // namespace
}  // namespace hearth
