// Finders on real trainings of the bundled digits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/orders/pk.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/first.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/schedule/schedules/cosine.h"
#include "hearth/train/estimator.h"
#include "hearth/train/finders/batch_size_finder.h"
#include "hearth/train/finders/learning_rate_finder.h"
#include "hearth/train/finders/workers_finder.h"
#include "hearth/train/run_config.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ExperimentOptions small_digits() {
  ExperimentOptions options;
  options.name = "found";
  options.threads = 1;
  options.data.train = sources::digits({.split = "train"});
  options.data.batch_size = 64;
  options.data.ops = {sample_ops::normalize({.key = "image", .mean = {0.3}, .std = {0.37}})};
  options.model = layers::mlp({.hidden = {32}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::adamw({.lr = 0.01});
  options.train.epochs = 2;
  return options;
}

std::vector<double> losses_of(const LearningRateFinding& finding) {
  std::vector<double> losses = {finding.curve.first_loss};
  for (const RatePoint& point : finding.curve.points) losses.push_back(point.loss);
  return losses;
}

double loss_after_training(ExperimentOptions options, double rate) {
  options.optimizer = optimizers::adamw({.lr = rate});
  return Estimator(options, {.keeps_run = false}).fit().metrics.at("train/loss");
}

TEST(FindLearningRate, TheSuggestionTrainsBetterThanATenthAndTenTimesOfIt) {
  const ExperimentOptions options = small_digits();
  const LearningRateFinding finding = find_learning_rate(options);
  ASSERT_TRUE(finding.verdict.rate) << finding.verdict.reason;
  const double found = loss_after_training(options, *finding.verdict.rate);
  EXPECT_LT(found, loss_after_training(options, *finding.verdict.rate / 10));
  EXPECT_LT(found, loss_after_training(options, *finding.verdict.rate * 10));
  EXPECT_EQ(finding.rates.front().name, "net");
  EXPECT_EQ(finding.rates.front().configured, 0.01);
  EXPECT_EQ(finding.rates.front().override_text.substr(0, 19), "optimizer.adamw.lr=");
  EXPECT_FALSE(finding.chart().lines.empty());
}

TEST(FindLearningRate, TheCurveIsTheSameForAnyNumberOfWorkers) {
  ExperimentOptions options = small_digits();
  const std::vector<double> losses = losses_of(find_learning_rate(options, {.steps = 30}));
  ASSERT_GT(losses.size(), 20U);
  for (const int64_t workers : {0, 1, 3}) {
    options.data.workers = workers;
    EXPECT_EQ(losses_of(find_learning_rate(options, {.steps = 30})), losses) << workers;
  }
}

TEST(FindLearningRate, ARunStaysByteForByteAsItIs) {
  const fs::path folder = fs::path(testing::TempDir()) / "find_in_run";
  fs::remove_all(folder);
  ExperimentOptions options = small_digits();
  options.folder = folder.string();
  options.optimizer = optimizers::adamw({.lr = schedules::cosine({.peak = 0.01})});
  const std::string run = Estimator(options).fit().run_folder;
  const auto files_of = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) files[entry.path()] = read_file(entry.path());
    return files;
  };
  const auto before = files_of();
  const LearningRateFinding finding = find_learning_rate(FinderTarget::of_run(run));
  EXPECT_EQ(files_of(), before);
  EXPECT_GT(finding.first_step, 40);
  // It begins with what the run has learned.
  EXPECT_LT(finding.curve.first_loss, 1);
  EXPECT_TRUE(finding.curve.has_diverged || finding.curve.points.size() == 100);
  fs::remove_all(folder);
}

TEST(FindLearningRate, AStepOfTwoBatchesHasTheLossOfOneOfTwiceTheSize) {
  ExperimentOptions options = small_digits();
  options.model.reset();
  options.loss.reset();
  options.optimizer.reset();
  options.models["net"] = {.build = layers::mlp({.hidden = {32}}),
                           .optimizer = optimizers::adamw({.lr = 0.01})};
  const auto losses = [&](int64_t size, int64_t batches) {
    options.data.batch_size = size;
    options.network = {network_ops::call(), network_ops::cross_entropy(),
                       network_ops::update({.accumulate = batches})};
    std::vector<double> all = losses_of(find_learning_rate(options, {.to = 0.1, .steps = 20}));
    all.resize(20);  // of one epoch
    return all;
  };
  const std::vector<double> whole = losses(64, 1);
  const std::vector<double> halves = losses(32, 2);
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(halves[i], whole[i], 1e-4) << i;
}

TEST(FindLearningRate, DataShorterThanTheCurveComeAgain) {
  ExperimentOptions options = small_digits();
  options.data.train = sources::first({.of = sources::digits({.split = "train"}), .count = 100});
  options.train.epochs = 1;
  const LearningRateFinding finding = find_learning_rate(options, {.to = 1e-3, .steps = 40});
  EXPECT_EQ(finding.curve.points.size(), 40U);
}

TEST(FindLearningRate, AScheduleKeepsItsFormAndGetsAnotherPeak) {
  ExperimentOptions options = small_digits();
  options.optimizer =
      optimizers::adamw({.lr = schedules::cosine({.peak = 0.02, .warmup = steps(10)})});
  const LearningRateFinding finding = find_learning_rate(options);
  const SweptRate& rate = finding.rates.front();
  EXPECT_TRUE(rate.is_scheduled);
  EXPECT_EQ(rate.configured, 0.02);
  EXPECT_THAT(rate.override_text, HasSubstr("optimizer.adamw.lr.cosine.peak="));
  EXPECT_THAT(rate.cyclic_override, HasSubstr("optimizer.adamw.lr={cyclic: {low: "));
  // What is to be pasted is a config that can be read.
  for (const std::string& text : {rate.override_text, rate.cyclic_override})
    EXPECT_NO_THROW((void)effective_config(options, {text})) << text;
}

TEST(FindLearningRate, OptimizersMoveTogetherOrOneAlone) {
  ExperimentOptions options = small_digits();
  options.model.reset();
  options.loss.reset();
  options.optimizer.reset();
  options.models["net"] = {.build = layers::mlp({.hidden = {32}}),
                           .optimizer = optimizers::adamw({.lr = 0.01}),
                           .groups = {{.match = {"*bias"}, .optimizer = "biases"}},
                           .optimizers = {{"biases", optimizers::sgd({.lr = 0.1})}}};
  options.network = {network_ops::call(), network_ops::cross_entropy(), network_ops::update()};
  const LearningRateFinding all = find_learning_rate(options);
  ASSERT_EQ(all.rates.size(), 2U);
  EXPECT_EQ(all.rates[1].name, "net/biases");
  EXPECT_NEAR(all.rates[1].share, 10, 1e-9);
  const LearningRateFinding one = find_learning_rate(options, {.optimizer = "net/biases"});
  ASSERT_EQ(one.rates.size(), 1U);
  EXPECT_EQ(one.rates.front().name, "net/biases");
  EXPECT_NE(losses_of(one), losses_of(all));
}

TEST(FindLearningRate, RefusesWhatCannotBeTried) {
  const ExperimentOptions options = small_digits();
  const double nan = std::nan("");
  const std::pair<LearningRateSearch, const char*> kCases[] = {
      {{.from = 0}, "from a number above 0"},
      {{.from = nan}, "from a number above 0"},
      {{.from = 1, .to = 0.1}, "not from 1 to 0.1"},
      {{.to = 1 / 0.0}, "not from 1e-06 to inf"},
      {{.steps = 1}, "from 20 to 1000000 steps, but not 1."},
      {{.steps = 1'000'000'000'000}, "but not 1000000000000"},
      {{.smooth = 1}, "from 0 to below 1"},
      {{.smooth = nan}, "from 0 to below 1"},
      {{.optimizer = "nett"}, "Did you mean 'net'?"},
      {{.loss = "los"}, "Did you mean 'loss'?"}};
  for (const auto& [search, message] : kCases) try {
      (void)find_learning_rate(options, search);
      ADD_FAILURE() << message;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  ExperimentOptions still = options;
  still.optimizer = optimizers::adamw({.lr = 0});
  EXPECT_THROW((void)find_learning_rate(still), ConfigError);
  EXPECT_THROW((void)FinderTarget::of_run("nowhere"), DataError);
}

TEST(FindLearningRate, ALossThatIsNoNumberFromTheStartIsNoMatterOfTheRate) {
  ExperimentOptions options = small_digits();
  options.data.ops = {sample_ops::normalize({.key = "image", .mean = {0.3}, .std = {1e-45}})};
  const LearningRateFinding finding = find_learning_rate(options);
  EXPECT_FALSE(finding.verdict.rate);
  EXPECT_TRUE(finding.curve.points.empty());
  EXPECT_THAT(finding.verdict.reason, HasSubstr("before the first step"));
  EXPECT_FALSE(chart_svg(finding.chart()).empty());
}

TEST(FindLearningRate, OneThatIsInterruptedSaysNothing) {
  const std::atomic<bool> interrupt{true};
  const LearningRateFinding finding =
      find_learning_rate(small_digits(), {}, {.interrupt = &interrupt});
  EXPECT_TRUE(finding.was_interrupted);
  EXPECT_FALSE(finding.verdict.rate);
}

BatchSizeRow row_of_size(int64_t size, double rate, uint64_t bytes, bool fits = true) {
  return {.size = size,
          .fits = fits,
          .samples_per_second = rate,
          .memory_bytes = bytes,
          .steps_per_epoch = 1000 / size};
}

TEST(FindBatchSize, TheSmallestThatIsNearlyFastestIsChosen) {
  const struct {
    std::vector<double> rates;
    std::optional<int64_t> chosen;
  } kCases[] = {
      {{100, 200, 300, 400}, 64}, {{100, 200, 300, 400, 500, 600}, 64},  // 128 leaves 7 steps
      {{100, 290, 300, 280}, 16}, {{100, 300, 290, 200}, 16},
      {{-1, -1}, std::nullopt},   {{100, -1}, 8},
      {{}, std::nullopt}};
  for (const auto& one : kCases) {
    BatchSizeFinding finding;
    int64_t size = 8;
    for (const double rate : one.rates) {
      finding.rows.push_back(row_of_size(size, rate, 0, rate >= 0));
      size *= 2;
    }
    choose_batch_size(finding);
    EXPECT_EQ(finding.suggestion, one.chosen);
    EXPECT_FALSE(finding.reason.empty());
  }
}

TEST(FindBatchSize, MemoryIsForeseenByALine) {
  EXPECT_EQ(foreseen_memory({}, 100), 0U);
  EXPECT_EQ(foreseen_memory({row_of_size(8, 1, 500)}, 16), 0U);
  EXPECT_EQ(foreseen_memory({row_of_size(8, 1, 500), row_of_size(16, 1, 600)}, 32), 800U);
  EXPECT_EQ(foreseen_memory({row_of_size(8, 1, 600), row_of_size(16, 1, 500)}, 32), 500U);
}

TEST(FindBatchSize, AnotherSizeSaysWhatElseWouldChange) {
  ExperimentOptions options = small_digits();
  options.optimizer =
      optimizers::adamw({.lr = schedules::cosine({.peak = 0.01, .warmup = steps(50)})});
  BatchSizeFinding finding;
  finding.configured = 64;
  finding.memory_limit = 3000;
  finding.rows = {row_of_size(64, 100, 1000), row_of_size(256, 200, 1192)};
  finding.rows.back().steps_per_epoch = 20;
  choose_batch_size(finding);
  const Node config = effective_config(options);
  add_consequences(config, finding);
  EXPECT_THAT(finding.overrides(),
              ElementsAre("data.batch_size=256", "optimizer.adamw.lr.cosine.peak=0.02",
                          "optimizer.adamw.lr.cosine.warmup=13st"));
  EXPECT_NO_THROW((void)effective_config(options, finding.overrides()));
  EXPECT_EQ(finding.rates.front().linear, 0.04);
  EXPECT_EQ(finding.largest, 256 + (3000 - 1192));
  EXPECT_THAT(finding.text(), HasSubstr("50st; 13st last for as many samples"));
  options.optimizer = optimizers::sgd({.lr = 0.1});
  add_consequences(effective_config(options), finding);
  EXPECT_EQ(finding.rates.back().override_text, "optimizer.sgd.lr=0.4");
}

TEST(FindBatchSize, SizesAreTriedWithinMemoryAndData) {
  ExperimentOptions options = small_digits();
  options.data.batch_size = 24;
  const auto sizes_of = [&](const BatchSizeSearch& search) {
    std::vector<int64_t> sizes;
    for (const BatchSizeRow& row : find_batch_size(options, search).rows) sizes.push_back(row.size);
    return sizes;
  };
  EXPECT_THAT(sizes_of({.to = 64, .seconds = 0.01}), ElementsAre(8, 16, 24, 32, 64));
  const BatchSizeFinding none = find_batch_size(options, {.seconds = 0.01, .memory_bytes = 1});
  EXPECT_FALSE(none.suggestion);
  EXPECT_THAT(none.reason, HasSubstr("no size fits"));
  options.data.train = sources::first({.of = sources::digits({.split = "train"}), .count = 50});
  EXPECT_THAT(sizes_of({.from = 16, .to = 4096, .seconds = 0.01}), ElementsAre(16, 24, 32, 64));
  EXPECT_THROW((void)find_batch_size(options, {.from = 0}), ConfigError);
  EXPECT_THROW((void)find_batch_size(options, {.from = 8, .to = 4}), ConfigError);
  EXPECT_THROW((void)find_batch_size(options, {.to = 1'000'000'000'000}), ConfigError);
  EXPECT_THROW((void)find_batch_size(options, {.seconds = std::nan("")}), ConfigError);
}

TEST(FindBatchSize, EndsAtASizeThatAnOrderRefuses) {
  ExperimentOptions options = small_digits();
  options.data.batch_size = 16;
  options.data.order = orders::pk({.instances = 2});
  const BatchSizeFinding finding = find_batch_size(options, {.to = 4096, .seconds = 0.01});
  ASSERT_EQ(finding.rows.size(), 3U);
  EXPECT_EQ(finding.rows.back().size, 32);
  EXPECT_THAT(finding.rows.back().refusal, HasSubstr("needs 16 identities"));
  EXPECT_TRUE(finding.suggestion);
  options.data.batch_size = 64;
  EXPECT_THROW((void)find_batch_size(options, {.from = 64, .seconds = 0.01}), Error);
}

WorkersRow row_of_workers(std::optional<int64_t> workers, int64_t depth, double least,
                          double most) {
  return {.workers = workers,
          .depth = depth,
          .samples_per_second = (least + most) / 2,
          .wait_share = 0.3,
          .trials = 4,
          .least = least,
          .most = most};
}

TEST(FindWorkers, OnlyWhatIsFasterByMoreThanNoiseIsSuggested) {
  const struct {
    std::vector<WorkersRow> rows;
    std::vector<std::string> overrides;
  } kCases[] = {
      {{row_of_workers(2, 2, 95, 105), row_of_workers(4, 2, 140, 160)}, {"data.workers=4"}},
      {{row_of_workers(2, 2, 100, 100), row_of_workers(4, 2, 104, 104)}, {}},
      {{row_of_workers(2, 2, 60, 150), row_of_workers(4, 2, 140, 160)}, {}},
      {{row_of_workers({}, 2, 95, 105), row_of_workers(1, 8, 190, 210)},
       {"data.workers=1", "data.depth=8"}},
      {{row_of_workers(2, 2, 95, 105), row_of_workers(2, 4, 110, 130)}, {"data.depth=4"}},
      {{row_of_workers(2, 2, 95, 105)}, {}}};
  for (const auto& one : kCases) {
    WorkersFinding finding;
    finding.rows = one.rows;
    finding.fastest = one.rows.size() - 1;
    choose_workers(finding);
    EXPECT_EQ(finding.overrides(), one.overrides) << finding.text();
    EXPECT_EQ(finding.fastest == 0, one.overrides.empty());
  }
}

TEST(FindWorkers, EachNumberAndDepthIsTriedOnceAndTheConfiguredFirst) {
  ExperimentOptions options = small_digits();
  options.data.workers = 1;
  const WorkersFinding finding = find_workers(options, {.most = 1, .seconds = 0.01});
  std::vector<std::string> names;
  for (const WorkersRow& row : finding.rows) {
    EXPECT_GT(row.samples_per_second, 0) << row.name();
    names.push_back(row.name());
  }
  EXPECT_EQ(names.front(), "1 worker, depth 2");
  EXPECT_EQ(names.size(), 5U);
  EXPECT_THROW((void)find_workers(options, {.most = -1}), ConfigError);
  EXPECT_THROW((void)find_workers(options, {.seconds = 0}), ConfigError);
}

}  // namespace
}  // namespace hearth
