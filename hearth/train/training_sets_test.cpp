// Training sets that take turns: which one an epoch uses, how long it is, and the bits after a
// resume.
#include "hearth/train/training_sets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/metric/metrics/loss.h"
#include "hearth/train/check_report.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/windows_fixture_test.h"

namespace hearth {
namespace {

using Values = std::vector<double>;

// Two batches of 1 in an epoch, or three of 2, the last of them not full; four epochs.
ExperimentOptions two_sets() {
  ExperimentOptions options = timed_experiment();
  options.data.train = {{"small", alike({.size = 16, .value = 1})},
                        {"full", alike({.size = 20, .value = 2})}};
  options.data.windows = {{"train.small", {.until = epochs(2)}},
                          {"train.full", {.from = epochs(2)}}};
  options.network.push_back(note("image"));
  options.train.epochs = 4;
  return options;
}

Values seen_with(const ExperimentOptions& options) {
  (void)fit(options);
  return noted_values;
}

std::string fault_of(const ExperimentOptions& options) {
  return message_of<Error>([&] { Estimator(options, {.keeps_run = false}); });
}

TEST(TrainingSets, TakeTurnsByEpochs) {
  for (const int64_t workers : {0, 1, 3}) {
    ExperimentOptions options = two_sets();
    options.data.workers = workers;
    options.data.depth = 4;  // so that batches of both sets are made at once
    EXPECT_EQ(seen_with(options), (Values{1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  }
}

TEST(TrainingSets, ComeInTurnAgain) {
  ExperimentOptions options = two_sets();
  options.data.windows = {{"train.small", {.every = epochs(2)}},
                          {"train.full", {.every = epochs(2), .offset = epochs(1)}}};
  EXPECT_EQ(seen_with(options), (Values{1, 1, 2, 2, 2, 1, 1, 2, 2, 2}));
}

TEST(TrainingSets, CountStepsAndSamplesAtTheEpochsFirstStep) {
  ExperimentOptions options = two_sets();
  options.data.windows = {{"train.small", {.until = steps(3)}}, {"train.full", {.from = steps(3)}}};
  EXPECT_EQ(seen_with(options), (Values{1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  options.data.windows = {{"train.small", {.until = samples(17)}},
                          {"train.full", {.from = samples(17)}}};
  noted_values.clear();
  EXPECT_EQ(seen_with(options), (Values{1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(TrainingSets, CountSharesOfTheRunInEpochs) {
  ExperimentOptions options = two_sets();
  options.data.windows = {{"train.small", {.until = percent(75)}},
                          {"train.full", {.from = percent(75)}}};
  EXPECT_EQ(seen_with(options), (Values{1, 1, 1, 1, 1, 1, 2, 2, 2}));
}

TEST(TrainingSets, MakeEpochsOfTheirOwnLengths) {
  ExperimentOptions options = two_sets();
  options.network.back() = note("image").from(percent(50)).until(epochs(3));
  const Report report = fit(options);
  EXPECT_EQ(report.steps, 10);
  EXPECT_EQ(noted, (Steps{5, 6}));
}

TEST(TrainingSets, ShareWhatIsMeasured) {
  ExperimentOptions options = two_sets();
  options.metrics = {metrics::loss()};
  options.data.order = Choice<Order>("weighted", Node::map());
  EXPECT_TRUE(fit(options).metrics.contains("train/loss"));
  Estimator estimator(options, {.keeps_run = false});
  const Report report = estimator.evaluate(Mode::kTrain);
  EXPECT_TRUE(report.metrics.contains("train.small/loss"));
  EXPECT_TRUE(report.metrics.contains("train.full/loss"));
}

TEST(TrainingSets, MayBeProfiledBeyondTheirSize) {
  Estimator estimator(two_sets(), {.keeps_run = false});
  EXPECT_GT(estimator.profile(20).steps, 0);
  EXPECT_EQ(std::count(noted_values.begin(), noted_values.end(), 2), 0);
}

TEST(TrainingSets, AreShownByCheck) {
  const std::string text = check_experiment(two_sets()).text();
  EXPECT_NE(text.find("train.small: 16 samples, 2 batches"), std::string::npos) << text;
  EXPECT_NE(text.find("train.full from epoch 2 on: 20 samples, 3 batches"), std::string::npos)
      << text;
}

TEST(TrainingSets, MustCoverEveryEpochOnce) {
  ExperimentOptions options = two_sets();
  options.data.windows["train.full"].from = epochs(3);
  EXPECT_EQ(fault_of(options),
            "data.windows: no training set is open in epoch 2: of train.small, train.full, each "
            "epoch needs exactly one. Let one be used for longer, or start the next earlier.");
  options.data.windows["train.full"].from = epochs(1);
  EXPECT_EQ(fault_of(options),
            "data.windows.train.full: the training sets train.small and train.full are both open "
            "in epoch 1, and each epoch needs exactly one. Let one end where the other starts, "
            "such as `data: {windows: {train.small: {until: 5ep}, train.full: {from: 5ep}}}`.");
}

TEST(TrainingSets, MustYieldTheSame) {
  ExperimentOptions options = two_sets();
  options.data.train = {{"small", alike({.size = 16})},
                        {"full", alike({.size = 20, .classes = 4})}};
  EXPECT_EQ(fault_of(options),
            "data.train.full.alike: data.train.full yields 'label' as int64 [B], 4 classes, but "
            "data.train.small yields it as int64 [B], 3 classes. Both must be alike.");
}

// In the middle of epochs, at their ends and at the switch.
TEST(TrainingSets, ResumeToTheSameBits) {
  ExperimentOptions options = two_sets();
  options.metrics = {metrics::loss()};
  options.network[2] = network_ops::update({.accumulate = 2});
  options.train.checkpoint = {.every = steps(1), .keep = 100};
  std::filesystem::remove_all(options.folder);
  Estimator whole(options);
  const Report report = whole.fit();
  const std::filesystem::path folder = report.run_folder;
  std::vector<std::filesystem::path> checkpoints;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
    checkpoints.push_back(entry.path());
  std::sort(checkpoints.begin(), checkpoints.end());
  ASSERT_GE(checkpoints.size(), 4U);
  const std::string digest = whole.state_digest();
  { const Estimator closed = std::move(whole); }
  for (size_t left = checkpoints.size(); left-- > 1;) {
    std::filesystem::remove(checkpoints[left]);
    Estimator resumed = Estimator::resume(folder);
    EXPECT_EQ(resumed.fit().metrics.at("train/loss"), report.metrics.at("train/loss"));
    EXPECT_EQ(resumed.state_digest(), digest) << "without " << checkpoints[left];
    for (size_t later = left; later < checkpoints.size(); ++later)
      std::filesystem::remove(checkpoints[later]);
  }
}

}  // namespace
}  // namespace hearth
