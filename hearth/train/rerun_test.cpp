// Steps of a run again: shown, proven, and compared with those of another run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/schedule/schedules/piecewise.h"
#include "hearth/train/bisect.h"
#include "hearth/train/recreate.h"
#include "hearth/train/replay.h"
#include "hearth/train/traces/ledger.h"

namespace hearth {
namespace {

using testing::HasSubstr;

constexpr int64_t kStepsPerEpoch = 3;

class Reruns : public testing::Test {
 protected:
  Reruns() : folder_(fs::path(testing::TempDir()) / "reruns") { fs::remove_all(folder_); }
  ~Reruns() override { fs::remove_all(folder_); }

  [[nodiscard]] ExperimentOptions options(int64_t data_seed = 0) const {
    ExperimentOptions options;
    options.name = "rerun";
    options.folder = (folder_ / "runs").string();
    options.threads = 1;
    options.data.train = sources::synthetic(
        {.size = 8 * kStepsPerEpoch, .shape = {1, 4, 4}, .classes = 3, .seed = data_seed});
    options.data.batch_size = 8;
    options.model = layers::mlp({.hidden = {6}, .dropout = 0.2});
    options.loss = network_ops::cross_entropy();
    options.optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
    options.train.epochs = 4;
    options.train.checkpoint.every = steps(2);
    options.train.traces = {traces::ledger({.interval = steps(1)})};
    return options;
  }
  static std::string train(const ExperimentOptions& options) {
    return Estimator(options).fit().run_folder;
  }

  fs::path folder_;
};

double logged_loss(const fs::path& run, int64_t step) {
  for (const Event& event : read_run_log(run / "log.jsonl"))
    if (event.kind == "step" && event.step == step)
      for (const auto& [key, value] : event.values)
        if (key == "loss") return value;
  return NAN;
}

TEST_F(Reruns, ReplayShowsWhatTheStepWasWhereverItIsTakenUp) {
  const fs::path run = train(options());
  for (const auto& [step, taken_up] : std::map<int64_t, int64_t>{{1, 0}, {5, 0}, {12, 10}}) {
    const StepReplay replay = replay_step(run, step);
    EXPECT_EQ(replay.taken_up, taken_up);
    EXPECT_EQ(replay.values.at("loss"), logged_loss(run, step)) << step;
    EXPECT_TRUE(replay.is_logged);
    EXPECT_THAT(replay.log_differences, testing::IsEmpty());
    ASSERT_EQ(replay.samples.size(), 8U);
    double mean = 0;
    for (const ReplayedSample& sample : replay.samples) mean += sample.losses.at("loss") / 8;
    EXPECT_NEAR(mean, replay.values.at("loss"), 1e-6);
  }
}

TEST_F(Reruns, ReplayOfAStepBeyondTheRunsEndIsRefusedWithoutTrainingUpToIt) {
  ExperimentOptions longest = options();
  longest.train.epochs = 2'000'000'000;
  Estimator estimator(longest);
  const fs::path run = estimator.step(3).run_folder;
  (void)estimator.step(0, AfterSteps::kEnd);
  try {
    (void)replay_step(run, int64_t{1} << 62);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("ends after step 6000000000; there is no step"));
  }
}

TEST_F(Reruns, ReplayGivesNormsOfEveryLayer) {
  const fs::path run = train(options());
  const StepReplay replay = replay_step(run, 4);
  int with_gradient = 0;
  for (const ReplayedLayer& layer : replay.layers) {
    EXPECT_TRUE(layer.is_finite) << layer.path;
    if (!layer.gradient) continue;
    ++with_gradient;
    EXPECT_GT(*layer.gradient, 0) << layer.path;
    EXPECT_GT(*layer.weights, *layer.change) << layer.path;
    EXPECT_TRUE(layer.output) << layer.path;
  }
  EXPECT_EQ(with_gradient, 2);
}

// The shards decide the bits; replicas only where they are computed.
TEST_F(Reruns, ReplayAndBisectTakeRunsWithReplicasAndShards) {
  for (const bool has_shards : {false, true}) {
    ExperimentOptions sharded = options();
    if (has_shards) sharded.shards = 4;
    if (!has_shards) sharded.replicas = 2;
    const fs::path run = train(sharded);
    const StepReplay replay = replay_step(run, 5);
    EXPECT_EQ(replay.values.at("loss"), logged_loss(run, 5));
    EXPECT_THAT(replay.log_differences, testing::IsEmpty());
    ASSERT_EQ(replay.samples.size(), 8U);
    double mean = 0;
    for (const ReplayedSample& sample : replay.samples) mean += sample.losses.at("loss") / 8;
    EXPECT_NEAR(mean, replay.values.at("loss"), 1e-6);
    EXPECT_EQ(std::ranges::count_if(replay.layers,
                                    [](const ReplayedLayer& layer) {
                                      return layer.gradient && layer.output && layer.is_finite;
                                    }),
              2);
    sharded.data.train = options(1).data.train;
    const Bisection found = bisect_runs(run, train(sharded));
    ASSERT_TRUE(found.parting) << found.text();
    EXPECT_EQ(found.parting->step, 1);
    EXPECT_NE(found.parting->layer, "");
  }
}

TEST_F(Reruns, ReplayRefusesAStepThatIsNotThere) {
  const fs::path run = train(options());
  EXPECT_THROW((void)replay_step(run, 13), DataError);
  EXPECT_THROW((void)replay_step(run, 0), ConfigError);
  EXPECT_THROW((void)replay_step(folder_ / "nowhere", 1), DataError);
}

TEST_F(Reruns, RecreateProvesTheBitsAndLeavesTheRunAsItIs) {
  const fs::path run = train(options());
  const std::string log = read_file(run / "log.jsonl");
  const std::string history = read_file(run / "history.jsonl");
  const Recreation made = recreate(run, folder_ / "again");
  EXPECT_TRUE(made.comparison.is_equal()) << made.comparison.text();
  EXPECT_EQ(made.comparison.ledger_entries, 12U);
  EXPECT_EQ(made.comparison.last_step, 12);
  EXPECT_GE(made.comparison.checkpoints, 1U);
  EXPECT_EQ(read_file(run / "log.jsonl"), log);
  EXPECT_EQ(read_file(run / "history.jsonl"), history);
}

TEST_F(Reruns, RecreateGoesAsFarAsTheRunHasCome) {
  const fs::path run = Estimator(options()).step(7, AfterSteps::kEnd).run_folder;
  const Recreation made = recreate(run, folder_ / "again");
  EXPECT_TRUE(made.comparison.is_equal()) << made.comparison.text();
  EXPECT_EQ(made.comparison.last_step, 7);
  EXPECT_EQ(made.comparison.lone_events, 0U);
}

TEST_F(Reruns, ALogThatWasTamperedWithIsNoticed) {
  const fs::path run = train(options());
  std::string log = read_file(run / "log.jsonl");
  const size_t at = log.find("\"parameters\":\"", log.find("\"step\":5,")) + 14;
  log[at] = log[at] == '0' ? '1' : '0';
  write_file_durably(run / "log.jsonl", log);
  const RunComparison found = recreate(run, folder_ / "again").comparison;
  ASSERT_TRUE(found.log);
  EXPECT_EQ(found.log->step, 5);
  EXPECT_THAT(found.log->what, HasSubstr("ledger: 'parameters'"));
}

TEST_F(Reruns, BisectFindsTheUpdateThatFirstHasAnotherRate) {
  ExperimentOptions other = options();
  other.optimizer = optimizers::sgd(
      {.lr = schedules::piecewise({.values = {0.05, 0.06}, .at = {epochs(2)}}), .momentum = 0.9});
  const Bisection found = bisect_runs(train(options()), train(other));
  ASSERT_TRUE(found.parting) << found.text();
  EXPECT_EQ(found.parting->step, 2 * kStepsPerEpoch + 1);
  EXPECT_THAT(found.parting->what, HasSubstr("update leaves another net/model/"));
  EXPECT_THAT(found.folders.config, testing::Not(testing::IsEmpty()));
}

TEST_F(Reruns, BisectFindsOtherData) {
  const Bisection found = bisect_runs(train(options(0)), train(options(1)));
  ASSERT_TRUE(found.parting) << found.text();
  EXPECT_EQ(found.parting->step, 1);
  EXPECT_THAT(found.parting->what, HasSubstr("the data give another 'image'"));
}

TEST_F(Reruns, BisectPlaysNothingWhenAllIsEqual) {
  const Bisection found = bisect_runs(train(options()), train(options()));
  EXPECT_TRUE(found.folders.is_equal()) << found.text();
  EXPECT_FALSE(found.was_played);
}

}  // namespace
}  // namespace hearth
