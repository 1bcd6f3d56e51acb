// Training as at a desk: some steps, a look, another learning rate, some steps more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/metric/metrics/loss.h"
#include "hearth/train/divergence_fixture_test.h"
#include "hearth/train/traces/plateau.h"
#include "hearth/train/traces/target.h"

namespace hearth {
namespace {

using testing::HasSubstr;

ExperimentOptions session_experiment(const std::string& folder = "session") {
  ExperimentOptions options = spoilt_experiment({.step = 99999});
  options.folder += "/" + folder;
  std::filesystem::remove_all(options.folder);
  options.data.eval = sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3});
  options.metrics = {metrics::loss({.in = "loss"}), metrics::accuracy()};
  options.train.checkpoint.every = minutes(5);
  return options;
}

// Counts how often it is opened.
class CountedSource : public Source {
 public:
  static inline int opened = 0;
  void open() override { ++opened; }
  [[nodiscard]] std::vector<KeySpec> keys() const override {
    return {{"image", {.shape = {1, 4, 4}}},
            {"label", {.dtype = DType::kInt64, .classes = 3, .role = Role::kClass}}};
  }
  [[nodiscard]] int64_t size() const override { return 16; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    auto* image = reinterpret_cast<float*>(cells[0].view().data);  // NOLINT: raw memory
    for (int64_t i = 0; cells[0].is_wanted() && i < 16; ++i)
      image[i] = static_cast<float>((index * 7 + i) % 5);
    if (cells[1].is_wanted())
      *reinterpret_cast<int64_t*>(cells[1].view().data) = index % 3;  // NOLINT: raw memory
  }
  [[nodiscard]] std::string fingerprint() const override { return "counted"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return "counted" + std::to_string(index);
  }
};

TEST(Session, TestModeOpensNoTrainingData) {
  registry<Source>().add("counted", "Counts.", [] { return std::make_unique<CountedSource>(); });
  ExperimentOptions options = session_experiment("tested");
  options.data.train = Choice<Source>("counted", Node::map());
  options.data.test = sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = {};
  const Report trained = Estimator(options).fit();
  EXPECT_GT(CountedSource::opened, 0);
  CountedSource::opened = 0;
  Estimator opened = Estimator::open(trained.run_folder);
  const Report tested = opened.evaluate(Mode::kTest);
  EXPECT_TRUE(tested.metrics.contains("test/loss"));
  EXPECT_EQ(CountedSource::opened, 0);
  EXPECT_TRUE(opened.evaluate(Mode::kTrain).metrics.contains("train/loss"));
  EXPECT_GT(CountedSource::opened, 0);
}

TEST(Session, StepsAddUpToTheWholeTraining) {
  Estimator whole(session_experiment(), {.keeps_run = false});
  (void)whole.fit();
  Estimator parts(session_experiment(), {.keeps_run = false});
  EXPECT_EQ(parts.step(3).steps, 3);
  EXPECT_EQ(parts.step().steps, 4);
  EXPECT_EQ(parts.step(3).steps, 7);
  const Report report = parts.fit();
  EXPECT_EQ(report.steps, 10);
  EXPECT_EQ(report.epochs, 2);
  EXPECT_EQ(parts.state_digest(), whole.state_digest());
}

TEST(Session, StepsThatWaitedAreSavedByTheCallThatEndsThem) {
  Estimator whole(session_experiment("whole"), {.keeps_run = false});
  (void)whole.fit();
  fs::path run;
  {
    Estimator parts(session_experiment("ended"));
    run = parts.step(3).run_folder;
    EXPECT_FALSE(fs::exists(run / "checkpoints/step-00000003.safetensors"));
    EXPECT_TRUE(parts.step(0, AfterSteps::kEnd).was_interrupted);
    EXPECT_TRUE(fs::exists(run / "checkpoints/step-00000003.safetensors"));
  }
  Estimator resumed = Estimator::resume(run);
  EXPECT_EQ(resumed.fit().steps, 10);
  EXPECT_EQ(resumed.state_digest(), whole.state_digest());
}

TEST(Session, GoesOnForMoreEpochs) {
  Estimator estimator(session_experiment(), {.keeps_run = false});
  EXPECT_EQ(estimator.fit(1).epochs, 1);
  EXPECT_EQ(estimator.fit(3).epochs, 3);
  EXPECT_EQ(estimator.fit(3).steps, 15);
}

TEST(Session, SaysWhereItStandsInOneLine) {
  Estimator estimator(session_experiment(), {.keeps_run = false});
  EXPECT_EQ(estimator.status(), "spoilt: not begun, 2 epochs to go");
  (void)estimator.step(5);
  EXPECT_THAT(estimator.status(),
              testing::MatchesRegex("spoilt: epoch 1 of 2, step 5 of 10, eval/accuracy [^,]*, "
                                    "eval/loss [^,]*, step/loss [^,]*, train/accuracy [^,]*, "
                                    "train/loss [^,]*, lr 0.05 of net, no run is kept"));
}

TEST(Session, ShowsABatchAsTheNetworkGetsIt) {
  Estimator estimator(session_experiment(), {.keeps_run = false});
  const std::string text = estimator.show_batch();
  EXPECT_THAT(text, HasSubstr("train, 8 samples: "));
  EXPECT_THAT(text, HasSubstr("image: "));
  EXPECT_THAT(text, HasSubstr("[8, 1, 4, 4]"));
  EXPECT_THAT(text, HasSubstr("label: "));
}

TEST(Session, AnotherLearningRateIsKeptInTheRun) {
  const auto trained = [](bool is_resumed) {
    Estimator estimator(session_experiment(is_resumed ? "rate" : "rate_whole"));
    (void)estimator.fit(1);
    estimator.scale_learning_rate(0.1);
    EXPECT_THAT(estimator.status(), HasSubstr("lr 0.005"));
    const std::string run = estimator.fit(2).run_folder;
    if (!is_resumed) (void)estimator.fit(3);
    return std::pair(run, estimator.state_digest());
  };
  const auto [run, unused] = trained(true);
  Estimator resumed = Estimator::resume(run, {}, {"train.epochs=3"});
  (void)resumed.fit();
  EXPECT_EQ(resumed.state_digest(), trained(false).second);
  EXPECT_THROW(resumed.scale_learning_rate(0), ConfigError);
  EXPECT_THROW(resumed.scale_learning_rate(0.5, "nett"), ConfigError);
}

TEST(Session, EndsWhereUntilSays) {
  ExperimentOptions options = session_experiment();
  options.train.until = steps(7);
  const Report report = Estimator(options, {.keeps_run = false}).fit();
  EXPECT_EQ(report.steps, 7);
  EXPECT_EQ(report.stop_reason, "train.until is 7st.");
  EXPECT_TRUE(report.metrics.contains("eval/loss"));
  options.train.until = samples(40);
  EXPECT_EQ(Estimator(options, {.keeps_run = false}).fit().steps, 5);
  options.train.until = minutes(1e-9);
  EXPECT_EQ(Estimator(options, {.keeps_run = false}).fit().steps, 0);
}

TEST(Session, EndsWhenATargetIsReached) {
  ExperimentOptions options = session_experiment();
  options.train.traces = {traces::target({.reach = {{"eval/loss", 1e9}, {"train/accuracy", 0}}})};
  const Report report = Estimator(options, {.keeps_run = false}).fit();
  EXPECT_EQ(report.epochs, 1);
  EXPECT_THAT(report.stop_reason, HasSubstr("the targets."));
  options.train.traces = {traces::target({.reach = {{"eval/los", 1}}})};
  EXPECT_THAT(message_of<Error>([&] { Estimator estimator(options); }), HasSubstr("'eval/loss'"));
}

TEST(Session, PlateausLowerTheRateOnTopOfTheSchedule) {
  ExperimentOptions options = session_experiment();
  options.train.epochs = 4;
  options.train.traces = {
      traces::plateau({.monitor = "eval/loss", .factor = 0.5, .patience = 1, .min_change = 1e9})};
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  EXPECT_THAT(estimator.status(), HasSubstr("lr 0.00625 of net"));
  options.train.traces = {traces::plateau({.model = "nett"})};
  EXPECT_THAT(message_of<Error>([&] { Estimator other(options); }), HasSubstr("'net'"));
}

TEST(Session, CommandsRunOnlyWhereTheyAreAllowed) {
  ExperimentOptions options = session_experiment("commands");
  options.train.commands = {.before = {"touch $HEARTH_RUN/before"},
                            .after = {"echo $HEARTH_STATUS > $HEARTH_RUN/after", "exit 3"}};
  std::vector<std::string> notices;
  const auto notice = [&](const std::string& text) { notices.push_back(text); };
  std::filesystem::path run = Estimator(options, {.on_notice = notice}).fit().run_folder;
  EXPECT_FALSE(std::filesystem::exists(run / "before"));
  ASSERT_EQ(notices.size(), 1);
  EXPECT_THAT(notices[0], HasSubstr("train.commands are not run"));
  run = Estimator(options, {.on_notice = notice, .allows_commands = true}).fit().run_folder;
  EXPECT_TRUE(std::filesystem::exists(run / "before"));
  EXPECT_TRUE(std::filesystem::exists(run / "after"));
  EXPECT_EQ(notices.back(), "train.commands.after: 'exit 3' ended with code 3.");
  options.train.commands.before = {"exit 4"};
  EXPECT_THAT(message_of<ConfigError>([&] {
                (void)Estimator(options, {.keeps_run = false, .allows_commands = true}).fit();
              }),
              HasSubstr("'exit 4' ended with code 4, so that nothing was trained."));
}

TEST(Session, CommandsHeedSignalsThatTheProgramIgnores) {
  ExperimentOptions options = session_experiment("signals");
  options.train.commands = {.after = {"kill -PIPE $$"}};
  std::string last;
  const auto notice = [&](const std::string& text) { last = text; };
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  (void)Estimator(options, {.on_notice = notice, .keeps_run = false, .allows_commands = true})
      .fit();
  (void)std::signal(SIGPIPE, before);
  EXPECT_THAT(last, HasSubstr("was ended by signal 13"));
}

}  // namespace
}  // namespace hearth
