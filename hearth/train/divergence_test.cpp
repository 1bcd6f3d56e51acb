// Training that meets a value that is no finite number: it stops, warns or goes on, and what is on
// disk stays good.
#include "hearth/train/divergence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/metric/metrics/loss.h"
#include "hearth/network/ops/update.h"
#include "hearth/tensor/finite.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/divergence_fixture_test.h"
#include "hearth/train/traces/best_model.h"

namespace hearth {
namespace {

using testing::HasSubstr;

std::string error_of(const ExperimentOptions& options) {
  return message_of<DataError>([&] { (void)Estimator(options, {.keeps_run = false}).fit(); });
}

std::vector<std::string> notices_of(const ExperimentOptions& options) {
  std::vector<std::string> notices;
  Estimator estimator(options, {.on_notice = [&](const auto& text) { notices.push_back(text); },
                                .keeps_run = false});
  (void)estimator.fit();
  return notices;
}

// Trains until it stops, and gives what was said and where the run is.
struct StoppedRun {
  std::string error;
  std::filesystem::path folder;

  explicit StoppedRun(ExperimentOptions options) {
    static int number = 0;
    options.folder += "/" + std::to_string(number++);
    std::filesystem::remove_all(options.folder);
    error = message_of<DataError>([&] { (void)Estimator(options).fit(); });
    folder = std::filesystem::directory_iterator(options.folder)->path();
  }
  [[nodiscard]] CheckpointFolder checkpoints() const {
    return CheckpointFolder(folder / "checkpoints");
  }
};

TEST(Divergence, StopsAtALossThatIsNotFiniteAndSaysWhereAndWhatToDo) {
  EXPECT_EQ(error_of(spoilt_experiment({.step = 7})),
            "epoch 2 of 2, step 7: the loss 'spoilt' is nan, so training stopped.\n"
            "  It comes from network[2] spoil.\n"
            "  Lower the learning rate (0.05 of net), bound the gradients (update: {clip_norm: 1}),"
            " or look for values in the data that are not finite.\n"
            "  Nothing was saved. To go on all the same: train.on_nan=warn.");
}

TEST(Divergence, IsSeenWithReplicasToo) {
  ExperimentOptions options = spoilt_experiment();
  options.replicas = 2;
  EXPECT_THAT(error_of(options), HasSubstr("step 3: the loss 'spoilt' is nan"));
}

TEST(Divergence, IsSeenInStepsThatAreNotLogged) {
  ExperimentOptions options = spoilt_experiment();
  options.train.log_every = 100;
  EXPECT_THAT(error_of(options), HasSubstr("step 3: the loss 'spoilt' is nan"));
}

TEST(Divergence, StopsAtAMetricThatIsNotFinite) {
  ExperimentOptions options = spoilt_experiment();
  options.data.eval = sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3});
  options.network[2] = choose<NetworkOp>("spoil", SpoilOptions{.step = 5}).when(Mode::kEval);
  options.network[3] = network_ops::update();
  options.metrics = {metrics::loss({.in = "spoilt"}).when(Mode::kEval)};
  EXPECT_THAT(error_of(options), HasSubstr("epoch 1 of 2, step 5: the metric eval/loss is nan"));
}

TEST(Divergence, WarnsOnceAnEpochAndGoesOn) {
  ExperimentOptions options = spoilt_experiment({.step = 2});
  options.train.on_nan = "warn";
  const std::vector<std::string> notices = notices_of(options);
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_THAT(notices[0], HasSubstr("epoch 1 of 2, step 2: the loss 'spoilt' is nan."));
  EXPECT_THAT(notices[1], HasSubstr("epoch 2 of 2, step 6: the loss 'spoilt' is nan."));
}

// The accuracy of scores that are no numbers is a number all the same.
TEST(Divergence, IsNeverBest) {
  ExperimentOptions options = spoilt_experiment({.step = 2});
  options.folder += "/never_best";
  std::filesystem::remove_all(options.folder);
  options.train.on_nan = "warn";
  options.train.traces = {traces::best_model({.monitor = "train/accuracy"})};
  const Report report = Estimator(options).fit();
  EXPECT_TRUE(report.metrics.contains("train/accuracy"));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(report.run_folder) / "checkpoints" /
                                       "best.safetensors"));
}

TEST(Divergence, IsIgnoredOnRequest) {
  ExperimentOptions options = spoilt_experiment({.step = 2});
  options.train.on_nan = "ignore";
  EXPECT_TRUE(notices_of(options).empty());
}

TEST(Divergence, AParameterThatIsNotFiniteIsNeverSaved) {
  const StoppedRun run(spoilt_experiment({.step = 3, .only_gradient = true}));
  EXPECT_THAT(run.error, HasSubstr("step 3: a value of the parameter net."));
  EXPECT_EQ(run.checkpoints().newest_step(), 1);
  const State saved = run.checkpoints().newest()->state;
  for (const auto& [name, tensor] : saved.tensors) EXPECT_TRUE(is_finite(tensor)) << name;
}

TEST(Divergence, SetsTheStateAsideThatLedStraightToIt) {
  const StoppedRun run(spoilt_experiment({.step = 4}));
  EXPECT_THAT(run.error, HasSubstr("The checkpoint of step 3 led straight to it and is now named "
                                   "'diverged'. The newest to go on from is that of step 2; "
                                   "nothing was saved since."));
  EXPECT_EQ(run.checkpoints().newest_step(), 2);
  EXPECT_TRUE(run.checkpoints().has("diverged"));
}

TEST(Divergence, IsToldWhenTheRunIsResumed) {
  const StoppedRun run(spoilt_experiment({.step = 4}));
  std::vector<std::string> notices;
  Estimator resumed = Estimator::resume(
      run.folder, {.on_notice = [&](const auto& text) { notices.push_back(text); }});
  ASSERT_FALSE(notices.empty());
  EXPECT_EQ(notices[0],
            "the run stopped at epoch 1 of 2, step 4: the loss 'spoilt' is nan, and nothing was "
            "saved after it. Without a change it will do so again.");
  EXPECT_THAT(message_of<DataError>([&] { (void)resumed.fit(); }), HasSubstr("step 4: the loss"));
}

TEST(Divergence, OfAnotherKindOfEndIsNotTold) {
  ExperimentOptions options = spoilt_experiment({.step = 99});
  const std::string folder = Estimator(options).fit().run_folder;
  EXPECT_FALSE(diverged_before(std::filesystem::path(folder) / "history.jsonl"));
  EXPECT_FALSE(diverged_before("no/such/history.jsonl"));
}

}  // namespace
}  // namespace hearth
