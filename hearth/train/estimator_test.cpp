// The estimator as C++ users see it: fit, go on, evaluate, feeds and fetches, warm-up, notices.
#include "hearth/train/estimator.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/batch_ops/mixup.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/orders/weighted.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/data/sources/text.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/network/network.h"
#include "hearth/network/network_op.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/architectures/lenet.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/schedule/schedules/piecewise.h"
#include "hearth/train/traces/best_model.h"
#include "hearth/train/traces/early_stopping.h"
#include "hearth/train/traces/progress.h"

namespace hearth {
namespace {

ExperimentOptions small_experiment() {
  ExperimentOptions options;
  options.name = "small";
  options.folder = (std::filesystem::path(testing::TempDir()) / "estimator_runs").string();
  options.data.train = sources::synthetic({.size = 40, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = sources::synthetic({.size = 12, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
  options.data.batch_size = 8;
  options.model = layers::mlp({.hidden = {8}, .dropout = 0.2});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
  options.metrics = {metrics::accuracy()};
  options.train.epochs = 2;
  return options;
}

// Predicts the next of "abab...", which a model learns fast.
ExperimentOptions text_experiment() {
  const auto file = std::filesystem::path(testing::TempDir()) / "estimator_text";
  std::ofstream stream(file);
  for (int i = 0; i < 200; ++i) stream << "ab";
  ExperimentOptions options = small_experiment();
  options.data.train = sources::text({.file = file, .length = 6, .part = "train"});
  options.data.eval = sources::text({.file = file, .length = 6, .part = "eval"});
  options.input = "tokens";
  options.target = "next";
  options.loss = network_ops::cross_entropy({.in = {"logits", "next"}});
  options.metrics = {metrics::accuracy({.in = {"logits", "next"}})};
  options.model = layers::gpt({.layers = 1, .width = 8, .heads = 2});
  options.optimizer = optimizers::sgd({.lr = 0.5, .momentum = 0.9});
  options.train.epochs = 4;
  return options;
}

std::string error_of(const ExperimentOptions& options) {
  try {
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.fit();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Estimator, TrainsAModelOfTextOnTokensThatAreBothInputAndTarget) {
  Estimator estimator(text_experiment(), {.keeps_run = false});
  const Report report = estimator.fit();
  EXPECT_GT(report.metrics.at("eval/accuracy"), 0.99);
  EXPECT_LT(report.metrics.at("eval/loss"), 0.1);
  EXPECT_EQ(estimator.predict_samples({0}).size(), 1U);
}

TEST(Estimator, PredictsFromARowOfTokens) {
  Estimator estimator(text_experiment(), {.keeps_run = false});
  EXPECT_TRUE(estimator.can_predict());
  const auto file = std::filesystem::path(testing::TempDir()) / "tokens.csv";
  std::ofstream(file) << "0,1,0,1,0,1\n";
  const PredictedValue next = estimator.predict({{file}}).at(0).outputs.at(0);
  EXPECT_EQ(next.role, Role::kTokens);
  EXPECT_EQ(next.classes.size(), 6U);
  std::ofstream(file) << "0,1,0,1,0,7\n";
  EXPECT_THAT(message_of<DataError>([&] { (void)estimator.predict({{file}}); }),
              testing::HasSubstr("number 6 is 7, but the model's input 'tokens' takes whole "
                                 "numbers from 0 to 1."));
}

TEST(Estimator, FitsAndReportsWhatItMeasured) {
  Estimator estimator(small_experiment(), {.keeps_run = false});
  const Report report = estimator.fit();
  EXPECT_EQ(report.steps, 10);
  EXPECT_EQ(report.epochs, 2);
  EXPECT_TRUE(report.run_folder.empty());
  for (const char* metric : {"train/loss", "train/accuracy", "eval/loss", "eval/accuracy"})
    EXPECT_TRUE(report.metrics.contains(metric)) << metric;
}

TEST(Estimator, GoesOnWhenFitIsCalledAgain) {
  Estimator estimator(small_experiment(), {.keeps_run = false});
  (void)estimator.fit();
  EXPECT_EQ(estimator.fit().epochs, 4);
}

TEST(Estimator, SameOptionsGiveTheSameWeightsAndAnotherSeedGivesOthers) {
  auto digest = [](int64_t seed) {
    ExperimentOptions options = small_experiment();
    options.seed = seed;
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest(0), digest(0));
  EXPECT_NE(digest(0), digest(1));
}

TEST(Estimator, WarmUpLeavesNoTrace) {
  auto digest = [](bool warm_up) {
    ExperimentOptions options = small_experiment();
    options.train.warm_up = warm_up;
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest(true), digest(false));
}

TEST(Estimator, ResumesAnInterruptedRunToTheSameBits) {
  Estimator whole(small_experiment(), {.keeps_run = false});
  (void)whole.fit();
  std::atomic<bool> interrupt{false};
  std::string run;
  {
    Estimator estimator(small_experiment(), {.interrupt = &interrupt});
    interrupt = true;
    const Report report = estimator.fit();
    EXPECT_TRUE(report.was_interrupted);
    run = report.run_folder;
  }
  Estimator resumed = Estimator::resume(run);
  (void)resumed.fit();
  EXPECT_EQ(resumed.state_digest(), whole.state_digest());
}

// A convolution whose channels fill blocks, and clipping, which sums over gradients as they lie.
ExperimentOptions packed_experiment() {
  ExperimentOptions options = small_experiment();
  options.data.train = sources::synthetic({.size = 40, .shape = {16, 4, 4}, .classes = 3});
  options.data.eval =
      sources::synthetic({.size = 12, .shape = {16, 4, 4}, .classes = 3, .seed = 1});
  options.models["net"].build =
      layers::sequential({{layers::conv2d({.out_channels = 16}), layers::flatten(),
                           layers::linear({.out_features = 3})}});
  options.models["net"].optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
  options.models["net"].average = 0.9;
  options.model.reset();
  options.optimizer.reset();
  options.loss.reset();
  options.network = {network_ops::call(), network_ops::cross_entropy(),
                     network_ops::update({.clip_norm = 0.1})};
  options.train.traces = {traces::progress()};
  return options;
}

TEST(Estimator, KeepsWeightsPackedWhileItTrains) {
  Estimator* training = nullptr;
  int64_t dimensions = 0;
  Estimator estimator(packed_experiment(),
                      {.on_progress =
                           [&](const Progress&) {
                             Layer& layer = training->network().models().find("net").layer();
                             dimensions = layer.handles()[0].second.dim();
                           },
                       .keeps_run = false});
  training = &estimator;
  (void)estimator.fit();
  EXPECT_EQ(dimensions, has_vector_unit() ? 6 : 4);
  EXPECT_EQ(estimator.network().models().find("net").layer().parameters()[0].second.dim(), 4);
}

// Interrupted when it first shows how far it is, wherever that is.
void expect_same_bits_after_interruption(ExperimentOptions options) {
  options.train.traces = {traces::progress()};
  Estimator whole(options, {.keeps_run = false});
  (void)whole.fit();
  std::atomic<bool> interrupt{false};
  Report report;
  {
    Estimator estimator(options, {.on_progress = [&](const Progress&) { interrupt = true; },
                                  .interrupt = &interrupt});
    report = estimator.fit();
  }
  EXPECT_TRUE(report.was_interrupted);
  EXPECT_GT(report.steps, 0);
  Estimator resumed = Estimator::resume(report.run_folder);
  (void)resumed.fit();
  EXPECT_EQ(resumed.state_digest(), whole.state_digest());
}

TEST(Estimator, ResumesPackedWeightsToTheSameBits) {
  expect_same_bits_after_interruption(packed_experiment());
}

TEST(Estimator, ResumesReplicasToTheSameBits) {
  ExperimentOptions options = small_experiment();
  options.replicas = 3;
  expect_same_bits_after_interruption(options);
}

TEST(Estimator, MeasuresSeveralEvaluationSetsByName) {
  ExperimentOptions options = small_experiment();
  const Choice<Source> alone = options.data.eval.all()[0].second;
  Estimator one(options, {.keeps_run = false});
  const Report expected = one.fit();
  options.data.eval = {{"clean", alone}, {"again", options.data.train.all().front().second}};
  options.train.traces = {traces::early_stopping({.monitor = "eval.clean/loss"})};
  Estimator several(options, {.keeps_run = false});
  const Report report = several.fit();
  EXPECT_EQ(report.metrics.at("eval.clean/loss"), expected.metrics.at("eval/loss"));
  EXPECT_NE(report.metrics.at("eval.again/loss"), report.metrics.at("eval.clean/loss"));
  EXPECT_FALSE(report.metrics.contains("eval/loss"));
  EXPECT_EQ(several.evaluate().metrics.at("eval.clean/loss"), report.metrics.at("eval.clean/loss"));
}

TEST(Estimator, ResumesToTheSameBitsWithOpsOnBatchesAnOrderAndBatchesOfChangingSize) {
  ExperimentOptions options = small_experiment();
  options.data.batch_size = schedules::piecewise({.values = {4, 9}, .at = {epochs(1)}});
  options.data.order = orders::weighted();
  options.data.batch_ops = {batch_ops::mixup({.alpha = 0.4}).when(Mode::kTrain)};
  expect_same_bits_after_interruption(options);
}

TEST(Estimator, ReplicasLearnDigitsAsOneNetworkDoes) {
  const auto accuracy_of = [](int64_t replicas) {
    ExperimentOptions options = small_experiment();
    options.data.train = sources::digits({.split = "train"});
    options.data.eval = sources::digits({.split = "test"});
    options.data.batch_size = 64;
    options.data.ops = {sample_ops::normalize({.key = "image", .mean = {0.30}, .std = {0.37}})};
    options.model = layers::lenet();
    options.train.epochs = 3;
    options.replicas = replicas;
    Estimator estimator(options, {.keeps_run = false});
    return estimator.fit().metrics.at("eval/accuracy");
  };
  const double accuracy = accuracy_of(2);
  EXPECT_GT(accuracy, 0.8);
  EXPECT_NEAR(accuracy, accuracy_of(1), 0.02);
}

TEST(Estimator, EvaluatesAveragedWeightsAndTrainsOnWithItsOwn) {
  const auto fitted = [](std::optional<double> average) {
    ExperimentOptions options = small_experiment();
    options.average = average;
    Estimator estimator(options);
    return estimator.fit();
  };
  const Report plain = fitted(std::nullopt);
  const Report averaged = fitted(0.9);
  EXPECT_EQ(averaged.metrics.at("train/loss"), plain.metrics.at("train/loss"));
  const double loss = averaged.metrics.at("eval/loss");
  EXPECT_NE(loss, plain.metrics.at("eval/loss"));
  const auto opened_loss = [&](const std::vector<std::string>& overrides) {
    return Estimator::open(averaged.run_folder, "last", overrides)
        .evaluate(Mode::kEval)
        .metrics.at("eval/loss");
  };
  EXPECT_EQ(opened_loss({}), loss);
  EXPECT_EQ(opened_loss({"models.net.average=null"}), plain.metrics.at("eval/loss"));
}

TEST(Estimator, ExportsAveragedWeights) {
  ExperimentOptions options = small_experiment();
  options.average = 0.9;
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  const auto folder = std::filesystem::path(testing::TempDir()) / "averaged_export";
  std::filesystem::remove_all(folder);
  estimator.export_model(folder);
  const Report report = Estimator::open(folder).evaluate();
  EXPECT_EQ(report.metrics.at("eval/loss"), estimator.evaluate().metrics.at("eval/loss"));
}

TEST(Estimator, ResumesAveragesToTheSameBits) {
  ExperimentOptions options = small_experiment();
  options.average = 0.9;
  Estimator whole(options, {.keeps_run = false});
  (void)whole.fit();
  options.train.epochs = 1;
  const std::string run = Estimator(options).fit().run_folder;
  Estimator resumed = Estimator::resume(run, {}, {"train.epochs=2"});
  (void)resumed.fit();
  EXPECT_EQ(resumed.state_digest(), whole.state_digest());
  EXPECT_EQ(resumed.weights_digest(), whole.weights_digest());
}

TEST(Estimator, RefusesAnAverageOfWhatNothingMoves) {
  ExperimentOptions options = small_experiment();
  options.models = {{"net", {.build = layers::mlp(), .average = 0.9}}};
  options.network = {network_ops::call()};
  EXPECT_EQ(error_of(options),
            "models.net: average needs an optimizer to move what it averages. Give the model one, "
            "such as "
            "adamw, or leave average out.");
}

TEST(Estimator, RefusesASecondProcessInTheSameRun) {
  Estimator estimator(small_experiment());
  const std::string run = estimator.fit().run_folder;
  EXPECT_THROW((void)Estimator::resume(run), DataError);
}

TEST(Estimator, FeedsAndFetchesRunOnlyWhatTheyNeed) {
  Estimator estimator(small_experiment(), {.keeps_run = false});
  const Tensors results = estimator.network().run({{"image", at::zeros({2, 1, 4, 4})}}, {"logits"});
  EXPECT_EQ(results.at("logits").sizes(), (std::vector<int64_t>{2, 3}));
  EXPECT_THROW((void)estimator.network().run({{"image", at::zeros({2, 1, 4, 4})}}, {"loss"}),
               GraphError);
}

TEST(Estimator, NamesAMetricThatNothingMeasures) {
  ExperimentOptions options = small_experiment();
  options.train.traces = {traces::best_model({.monitor = "eval/acuracy"})};
  EXPECT_EQ(error_of(options),
            "train.traces[0].best_model.monitor: best_model watches 'eval/acuracy', which nothing "
            "measures. Did you mean 'eval/accuracy'?");
}

TEST(Estimator, FindsAFaultOfALaterEpochBeforeTraining) {
  ExperimentOptions options = small_experiment();
  options.train.epochs = 50;
  options.data.ops = {sample_ops::normalize({.key = "imagee"}).from(epochs(40))};
  EXPECT_EQ(error_of(options),
            "in modes train, eval: data.ops[0] normalize reads 'imagee', which nothing makes. Did "
            "you mean "
            "'image'?");
}

struct FaultyOptions {
  std::string in = "logits";
  static const Schema<FaultyOptions>& schema() {
    static const auto fields =
        Schema<FaultyOptions>().field(&FaultyOptions::in, "in", "Key to read.");
    return fields;
  }
};

// Fits the graph, and fails only when it runs.
class FaultyOp : public NetworkOp {
 public:
  using Options = FaultyOptions;
  explicit FaultyOp(FaultyOptions options) : options_(std::move(options)) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>&) override { return {}; }
  void run(StepContext&, std::span<const at::Tensor>, std::span<at::Tensor>) override {
    throw DataError("the disk is on fire.");
  }

 private:
  Options options_;
};

TEST(Estimator, WarmUpMeetsARunTimeFaultOfEpochFortyBeforeTraining) {
  registry<NetworkOp>().add<FaultyOp>("faulty", "Fails when it runs.");
  ExperimentOptions options = small_experiment();
  options.train.epochs = 50;
  options.models = {{"net", {.build = layers::mlp(), .optimizer = optimizers::sgd()}}};
  options.network = {network_ops::call(), network_ops::cross_entropy(), network_ops::update(),
                     choose<NetworkOp>("faulty", FaultyOptions{}).from(epochs(40))};
  options.model = {};
  options.loss = {};
  options.optimizer = {};
  options.predict.out = {"logits"};
  EXPECT_EQ(error_of(options),
            "network[3].faulty: warm-up of mode train, epoch 40: the disk is on fire.");
}

TEST(Estimator, StopsEarlyAndSaysWhy) {
  ExperimentOptions options = small_experiment();
  options.optimizer = optimizers::sgd({.lr = 0.0});
  options.train.epochs = 20;
  options.train.traces = {traces::early_stopping({.monitor = "eval/loss", .patience = 2})};
  Estimator estimator(options, {.keeps_run = false});
  const Report report = estimator.fit();
  EXPECT_EQ(report.epochs, 3);
  EXPECT_NE(report.stop_reason.find("eval/loss has not improved for 2 epochs"), std::string::npos);
}

TEST(Estimator, ChecksCppOptionsLikeYaml) {
  ExperimentOptions options = small_experiment();
  options.data.batch_size = 0;
  EXPECT_EQ(error_of(options), "data.batch_size: must be at least 1, but is 0.");
}

}  // namespace
}  // namespace hearth
