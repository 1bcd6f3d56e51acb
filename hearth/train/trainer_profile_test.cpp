// Profiles of a small training: rows, sums, and that nothing of it stays.
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/data/sources/synthetic.h"
#include "hearth/metrics/metrics/accuracy.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/layers/dropout.h"
#include "hearth/nn/layers/flatten.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/relu.h"
#include "hearth/nn/layers/sequential.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

ExperimentOptions profiled_experiment() {
  ExperimentOptions options;
  options.data.train = synthetic({.size = 20, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = 8;
  options.model =
      sequential({{flatten(), linear({.out_features = 8}), relu(), dropout({0.2}), linear()}});
  options.loss = cross_entropy();
  options.optimizer = adamw({.lr = 0.01});
  options.metrics = {accuracy()};
  options.train.epochs = 2;
  return options;
}

std::vector<std::string> row_names(const ProfileReport& report) {
  std::vector<std::string> names;
  for (const ProfileRow& row : report.rows) names.push_back(row.name);
  return names;
}

const ProfileRow& row_named(const ProfileReport& report, const std::string& name) {
  for (const ProfileRow& row : report.rows)
    if (row.name == name) return row;
  throw std::out_of_range(name);
}

TEST(Profile, HasARowForEverythingAStepDoes) {
  Estimator estimator(profiled_experiment(), {.keeps_run = false});
  const ProfileReport report = estimator.profile(7);
  EXPECT_THAT(row_names(report),
              testing::UnorderedElementsAre("net", "net.0", "net.1", "net.2", "net.3", "net.4",
                                            "network[0] call", "network[1] cross_entropy",
                                            "optimizer (network[3] update)", "autograd",
                                            "waiting for data", "the rest"));
  EXPECT_EQ(report.steps, 7);
  EXPECT_GT(row_named(report, "net.1").backward_seconds, 0);
  EXPECT_GT(row_named(report, "network[1] cross_entropy").backward_seconds, 0);
  EXPECT_TRUE(row_named(report, "net.2").is_fused);
  EXPECT_EQ(row_named(report, "net.2").seconds(), 0);
}

TEST(Profile, SumsToTheStepAndSortsByTime) {
  Estimator estimator(profiled_experiment(), {.keeps_run = false});
  const ProfileReport report = estimator.profile(5);
  double seconds = 0;
  double share = 0;
  for (const ProfileRow& row : report.rows) {
    EXPECT_GE(row.seconds(), 0) << row.name;
    seconds += row.seconds();
    share += row.share;
  }
  EXPECT_NEAR(seconds, report.step_seconds, report.step_seconds * 1e-6);
  EXPECT_NEAR(share, 1, 1e-6);
  EXPECT_TRUE(std::is_sorted(
      report.rows.begin(), report.rows.end(),
      [](const auto& left, const auto& right) { return left.seconds() > right.seconds(); }));
}

TEST(Profile, LeavesTheTrainingAsItWas) {
  Estimator plain(profiled_experiment(), {.keeps_run = false});
  (void)plain.fit();
  Estimator profiled(profiled_experiment(), {.keeps_run = false});
  const std::string before = profiled.state_digest();
  (void)profiled.profile(11);
  EXPECT_EQ(profiled.state_digest(), before);
  const Report report = profiled.fit();
  EXPECT_EQ(profiled.state_digest(), plain.state_digest());
  EXPECT_EQ(report.steps, 6);
  (void)profiled.profile(2);
  EXPECT_EQ(profiled.state_digest(), plain.state_digest());
  EXPECT_FALSE(at::hasCallbacks());
}

TEST(Profile, CountsAStepOfSeveralBatchesAsOne) {
  ExperimentOptions options = profiled_experiment();
  options.models = {{"net", {.build = *options.model, .optimizer = options.optimizer}}};
  options.network = {call(), cross_entropy(), update({.accumulate = 2})};
  options.model = {};
  options.loss = {};
  options.optimizer = {};
  options.data.train = synthetic({.size = 16, .shape = {1, 4, 4}, .classes = 3});
  Estimator estimator(options, {.keeps_run = false});
  const ProfileReport report = estimator.profile(3);
  EXPECT_EQ(report.steps, 3);
  EXPECT_EQ(report.samples_per_step, 16);
}

TEST(Profile, EndsEarlyWhenInterrupted) {
  const std::atomic<bool> interrupt{true};
  Estimator estimator(profiled_experiment(), {.interrupt = &interrupt, .keeps_run = false});
  EXPECT_EQ(estimator.profile(1000).samples_per_step, 0);
}

}  // namespace
}  // namespace hearth
