// Batches that spoil a step: they change nothing, or the network goes back to a checkpoint; what is
// said names the op, the layer and the samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/code_sources.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/divergence_fixture_test.h"
#include "hearth/train/traces/spike.h"

namespace hearth {
namespace {

using testing::HasSubstr;

// With statistics, moments and averages, all of which a skipped batch leaves alone.
ExperimentOptions whole_experiment(const SpoilOptions& spoil, const std::string& on_nan,
                                   const std::string& folder) {
  ExperimentOptions options = spoilt_experiment(spoil);
  options.folder += "/" + folder;
  std::filesystem::remove_all(options.folder);
  options.models["net"].build =
      layers::sequential({.layers = {layers::batch_norm2d(), layers::flatten(), layers::linear()}});
  options.models["net"].optimizer = optimizers::adamw({.lr = 0.05});
  options.models["net"].average = 0.9;
  options.train.on_nan = on_nan;
  options.train.epochs = 1;
  return options;
}

std::string network_at(const std::filesystem::path& run, int64_t step) {
  const State saved = CheckpointFolder(run / "checkpoints").of_step(step);
  return digest_of(saved.part("network").part("models/net"));
}

TEST(Refusal, ASkippedBatchLeavesEverythingAsItWasBefore) {
  for (const bool only_gradient : {false, true}) {
    const std::filesystem::path run =
        Estimator(whole_experiment({.step = 5, .only_gradient = only_gradient}, "skip", "skipped"))
            .fit()
            .run_folder;
    EXPECT_EQ(network_at(run, 5), network_at(run, 4)) << only_gradient;
  }
}

TEST(Refusal, GoesOnAfterASkippedBatch) {
  const Report report = Estimator(whole_experiment({.step = 2}, "skip", "goes_on")).fit();
  EXPECT_EQ(report.steps, 5);
  EXPECT_NE(network_at(report.run_folder, 5), network_at(report.run_folder, 4));
}

TEST(Refusal, RollsBackToTheCheckpointThatTheStepDecides) {
  ExperimentOptions options = whole_experiment({.step = 5}, "roll_back", "rolled");
  options.train.checkpoint.every = steps(2);
  const std::filesystem::path run = Estimator(options).fit().run_folder;
  EXPECT_EQ(network_at(run, 5), network_at(run, 2));  // that of step 4 led straight to it
  EXPECT_NE(network_at(run, 4), network_at(run, 2));
}

// As it would be after a kill, at every step.
TEST(Refusal, EndsInTheSameBitsAfterAnyInterruption) {
  for (const std::string on_nan : {"skip", "roll_back"}) {
    ExperimentOptions options = whole_experiment({.step = 6}, on_nan, "whole_" + on_nan);
    options.train.epochs = 2;
    options.train.checkpoint.every = steps(2);
    Estimator whole(options);
    (void)whole.fit();
    for (const int64_t broken_at : {3, 6, 7}) {
      options.folder += "_broken";
      std::filesystem::remove_all(options.folder);
      // Nothing is saved at its end: it leaves what a killed process leaves.
      const std::string run = Estimator(options).step(broken_at).run_folder;
      Estimator second = Estimator::resume(run);
      (void)second.fit();
      EXPECT_EQ(second.state_digest(), whole.state_digest()) << on_nan << " at " << broken_at;
    }
  }
}

TEST(Refusal, IsLoggedWithItsReason) {
  const Report report = Estimator(whole_experiment({.step = 2}, "skip", "logged")).fit();
  std::vector<Event> skipped;
  LogReader reader(std::filesystem::path(report.run_folder) / "log.jsonl");
  for (LogNews news = reader.next(); news.index() != 0; news = reader.next())
    if (const auto* event = std::get_if<Event>(&news); event != nullptr && event->kind == "skipped")
      skipped.push_back(*event);
  ASSERT_EQ(skipped.size(), 1);
  EXPECT_EQ(skipped[0].step, 2);
  EXPECT_EQ(skipped[0].details.at("reason"), "the loss 'spoilt' is nan");
  EXPECT_EQ(skipped[0].details.at("origin"), "It comes from network[2] spoil.");
}

TEST(Refusal, StopsWhenSkippingDoesNotHelp) {
  ExperimentOptions options = whole_experiment({.step = 99}, "skip", "hopeless");
  options.models["net"].optimizer = optimizers::sgd({.lr = 1e38});
  options.train.epochs = 4;
  EXPECT_THAT(message_of<DataError>([&] { (void)Estimator(options, {.keeps_run = false}).fit(); }),
              HasSubstr("batches in a row were of no use"));
}

// One sample of the data is spoilt, and the error names it.
std::string error_with_sample(float value) {
  std::vector<float> images(16 * 4, 0.5F);
  std::vector<int64_t> labels(16, 1);
  for (size_t i = 0; i < images.size(); ++i) images[i] = 0.1F * static_cast<float>(i % 7);
  for (size_t i = 0; i < 4; ++i) images[9 * 4 + i] = value;
  labels[3] = 0;
  ExperimentOptions options = spoilt_experiment({.step = 99});
  options.models["net"].build =
      layers::mlp({.hidden = {64}});  // some weights add up to more than 1
  options.data.train =
      sources::tensors("spoilt_rows", {sources::code_tensor<float>("image", {4}, images),
                                       sources::code_tensor<int64_t>("label", {}, labels, 3)});
  return message_of<DataError>([&] { (void)Estimator(options, {.keeps_run = false}).fit(); });
}

TEST(Refusal, AnomaliesAreFoundInGradientsToo) {
  const ExperimentOptions options = spoilt_experiment({.step = 3, .only_gradient = true});
  EXPECT_THAT(message_of<DataError>([&] {
                (void)Estimator(options, {.keeps_run = false, .detects_anomalies = true}).fit();
              }),
              HasSubstr("step 3: a value of the gradient of net."));
}

TEST(Refusal, NamesTheSampleOfTheDataOrTheLayerThatItComesFrom) {
  EXPECT_THAT(error_with_sample(std::numeric_limits<float>::quiet_NaN()),
              HasSubstr("It comes from the data's 'image', of sample 9 (spoilt_rows[9])."));
  EXPECT_THAT(
      error_with_sample(3e38F),
      testing::ContainsRegex("It comes from the layer .* of sample 9 \\(spoilt_rows\\[9\\]\\)"));
}

TEST(Refusal, ALeapOfTheLossIsSkippedOrRolledBack) {
  for (const std::string action : {"skip", "roll_back"}) {
    ExperimentOptions options = whole_experiment({.step = 99}, "stop", "spike_" + action);
    options.train.checkpoint.every = steps(2);
    // Any loss above the mean of the two before it leaps.
    options.train.traces = {
        traces::spike({.in = "spoilt", .action = action, .window = 2, .deviations = 1e-9})};
    options.train.epochs = 2;
    std::vector<std::string> notices;
    Estimator estimator(options, {.on_notice = [&](const auto& text) { notices.push_back(text); }});
    (void)estimator.fit();
    ASSERT_FALSE(notices.empty()) << action;
    EXPECT_THAT(notices[0], HasSubstr("the loss 'spoilt' leaps to"));
    EXPECT_THAT(notices[0],
                HasSubstr(action == "skip" ? "skipped" : "back at the last checkpoint"));
  }
}

// Three samples far from all others, with each of the labels: some must be wrong.
TEST(Refusal, ALeapOfTheLossIsToldWithTheSamplesItComesFrom) {
  std::vector<float> images(40 * 4);
  std::vector<int64_t> labels(40, 1);
  for (size_t i = 0; i < images.size(); ++i) images[i] = 0.1F * static_cast<float>(i % 7);
  for (size_t row = 33; row < 36; ++row) {
    std::fill_n(images.begin() + static_cast<int64_t>(row * 4), 4, 500.0F);
    labels[row] = static_cast<int64_t>(row) - 33;
  }
  ExperimentOptions options = spoilt_experiment({.step = 99});
  options.data.train =
      sources::tensors("far_rows", {sources::code_tensor<float>("image", {4}, images),
                                    sources::code_tensor<int64_t>("label", {}, labels, 3)});
  options.data.shuffle = false;
  options.train.epochs = 1;
  options.train.traces = {traces::spike({.in = "spoilt", .window = 3})};
  std::string notices;
  const auto hear = [&](const std::string& text) { notices += text + "\n"; };
  const Report report = Estimator(options, {.on_notice = hear}).fit();
  EXPECT_THAT(notices, testing::ContainsRegex(
                           "highest for samples? 3[345] \\(far_rows\\[3[345]\\]\\), [1-9]"));
  std::vector<int64_t> samples;
  for (const Event& event : read_run_log(std::filesystem::path(report.run_folder) / "log.jsonl"))
    if (event.kind == "skipped") samples = event.details.at("samples").get<std::vector<int64_t>>();
  ASSERT_FALSE(samples.empty());
  EXPECT_TRUE(
      std::all_of(samples.begin(), samples.end(), [](int64_t i) { return i > 32 && i < 36; }));
}

TEST(Refusal, GoingBackNeedsCheckpointsAtFixedSteps) {
  ExperimentOptions options = whole_experiment({}, "roll_back", "minutes");
  options.train.checkpoint.every = minutes(5);
  EXPECT_THAT(message_of<ConfigError>([&] { Estimator estimator(options); }),
              HasSubstr("Set checkpoint.every to steps or epochs"));
  options.train.on_nan = "stop";
  options.train.traces = {traces::spike({.action = "roll_back"})};
  EXPECT_THAT(message_of<Error>([&] { Estimator estimator(options); }),
              HasSubstr("rolls back, which needs checkpoints at fixed steps"));
}

}  // namespace
}  // namespace hearth
