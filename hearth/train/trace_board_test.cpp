// What traces are told: how often, in which order, with which values, and what becomes of errors.
#include "hearth/train/trace_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "hearth/base/message_of_test.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/softmax.h"
#include "hearth/network/ops/update.h"
#include "hearth/train/estimator.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/trace_fixture_test.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Interest> every_occasion() {
  std::vector<Interest> all;
  for (size_t i = 0; i < kOccasions; ++i) all.push_back({static_cast<Occasion>(i)});
  return all;
}

std::vector<std::string> notes_of_fit(const ExperimentOptions& options) {
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  return heard().notes;
}

std::string error_of_fit(const ExperimentOptions& options) {
  return message_of<Error>([&] { (void)notes_of_fit(options); });
}

// The same experiment, whose update waits for two batches, or has its parts in the open.
ExperimentOptions spelt_out(Heard wanted, int64_t accumulate = 1) {
  ExperimentOptions options = heard_experiment(std::move(wanted));
  options.models = {{"net", {.build = *options.model, .optimizer = options.optimizer}}};
  options.network = {network_ops::call(), network_ops::cross_entropy(), network_ops::softmax(),
                     network_ops::update({.accumulate = accumulate})};
  options.model = {};
  options.loss = {};
  options.optimizer = {};
  return options;
}

TEST(TraceBoard, TellsEachOccasionInOrder) {
  ExperimentOptions options = heard_experiment({.interests = every_occasion()});
  options.train.epochs = 1;
  EXPECT_THAT(notes_of_fit(options),
              ElementsAre("train 0 the start of the run", "train 0 the start of an epoch",
                          "train 1 the start of a batch", "train 1 the loss of a batch",
                          "train 1 the gradients of an update", "train 1 the end of a step",
                          "train 1 the end of a batch", "train 2 the start of a batch",
                          "train 2 the loss of a batch", "train 2 the gradients of an update",
                          "train 2 the end of a step", "train 2 the end of a batch",
                          "eval 2 the start of an evaluation", "eval 2 the end of an evaluation",
                          "train 2 the end of an epoch", "train 2 the end of the run"));
}

TEST(TraceBoard, TellsOfBatchesInTheModesThatWhenNames) {
  ExperimentOptions options = heard_experiment({.interests = {{Occasion::kBatchEnd}}});
  options.train.traces = {options.train.traces[0].when(Mode::kEval)};
  EXPECT_THAT(notes_of_fit(options),
              ElementsAre("eval 2 the end of a batch", "eval 4 the end of a batch"));
}

TEST(TraceBoard, TellsAsOftenAsWasAsked) {
  const Heard wanted = {.interests = {{.on = Occasion::kStep, .every = steps(3)},
                                      {.on = Occasion::kEpochEnd, .every = epochs(2)}}};
  EXPECT_THAT(notes_of_fit(heard_experiment(wanted)),
              ElementsAre("train 3 the end of a step", "train 4 the end of an epoch"));
}

TEST(TraceBoard, TellsNothingOutsideTheWindow) {
  ExperimentOptions options =
      heard_experiment({.interests = {{Occasion::kStep}, {Occasion::kEpochEnd}}});
  options.train.traces = {options.train.traces[0].from(epochs(1))};
  EXPECT_THAT(notes_of_fit(options),
              ElementsAre("train 3 the end of a step", "train 4 the end of a step",
                          "train 4 the end of an epoch"));
}

TEST(TraceBoard, TellsOfGradientsOnlyWhenAStepIsTaken) {
  const Heard wanted = {.interests = {{Occasion::kBackward}, {Occasion::kBatchEnd}}};
  ExperimentOptions options = spelt_out(wanted, 2);
  options.train.epochs = 1;
  EXPECT_THAT(notes_of_fit(options),
              ElementsAre("train 1 the end of a batch", "train 1 the gradients of an update",
                          "train 1 the end of a batch"));
}

// The flag is raised by the trace itself, so that every step is once the last before a resume.
TEST(TraceBoard, TellsTheSameWhenARunIsResumed) {
  std::vector<Interest> all = every_occasion();
  std::erase_if(all, [](const Interest& interest) {
    return interest.on == Occasion::kRunBegin || interest.on == Occasion::kRunEnd;
  });
  const std::vector<std::string> whole = notes_of_fit(heard_experiment({.interests = all}));
  for (int64_t stop = 1; stop <= 4; ++stop) {
    std::atomic<bool> interrupt = false;
    ExperimentOptions options = heard_experiment({.interests = all});
    heard().act = [&](const Happening& happening, RunControl&) {
      if (happening.occasion == Occasion::kBatchEnd && happening.step == stop) interrupt = true;
    };
    options.folder = (std::filesystem::path(testing::TempDir()) / "trace_board_runs").string();
    Estimator first(options, {.interrupt = &interrupt});
    const std::string folder = first.fit().run_folder;
    first = Estimator(options, {.keeps_run = false});  // lets go of the folder
    heard().act = {};
    // The evaluation that the interrupt cut off was begun; it is begun again.
    if (heard().notes.back().ends_with("start of an evaluation")) heard().notes.pop_back();
    (void)Estimator::resume(folder).fit();
    EXPECT_EQ(heard().notes, whole) << "interrupted after step " << stop;
  }
}

TEST(TraceBoard, MakesAKeyThatOnlyATraceReads) {
  const auto index_of = [](const ExperimentOptions& options) {
    ExperimentGraph graph(options);
    graph.open_sources();
    return graph.compiled(Mode::kTrain, graph.epoch_start(0)).plan.index_of("probability");
  };
  EXPECT_EQ(index_of(spelt_out({.interests = {{Occasion::kStep}}})), -1);
  EXPECT_EQ(index_of(spelt_out({.interests = {{Occasion::kEpochEnd}}, .keys = {"probability"}})),
            -1);
  EXPECT_GE(index_of(spelt_out({.interests = {{Occasion::kStep}}, .keys = {"probability"}})), 0);
}

TEST(TraceBoard, GivesValuesOfTheBatchWhenTheyAreMade) {
  std::vector<std::string> shapes;
  const auto act = [&](const Happening& happening, RunControl&) {
    std::string text(name(happening.occasion));
    for (const at::Tensor& value : happening.values)
      text += !value.defined() ? " -" : value.dim() == 0 ? " one" : " many";
    shapes.push_back(text + " of " + std::to_string(happening.samples.size()));
  };
  ExperimentOptions options =
      spelt_out({.interests = {{Occasion::kBatchBegin}, {Occasion::kLoss}, {Occasion::kBatchEnd}},
                 .keys = {"label", "loss"},
                 .act = act});
  options.data.train = sources::synthetic({.size = 8, .shape = {1, 2, 2}, .classes = 3});
  options.train.epochs = 1;
  const auto expected =
      ElementsAre("the start of a batch many - of 8", "the loss of a batch many one of 8",
                  "the end of a batch many one of 8");
  for (const int64_t replicas : {1, 2}) {
    shapes.clear();
    options.replicas = replicas;
    (void)notes_of_fit(options);
    EXPECT_THAT(shapes, expected) << replicas;
  }
}

TEST(TraceBoard, ReplicasGiveTheGradientsOfTheWholeBatch) {
  std::vector<double> norms;
  const auto act = [&](const Happening& happening, RunControl&) {
    for (const auto& [name, gradient] : happening.gradients)
      norms.push_back(gradient.norm().item<double>());
  };
  ExperimentOptions options = heard_experiment({.interests = {{Occasion::kBackward}}, .act = act});
  (void)notes_of_fit(options);
  const std::vector<double> alone = std::exchange(norms, {});
  options.replicas = 2;
  (void)notes_of_fit(options);
  ASSERT_EQ(norms.size(), 8U);
  for (size_t i = 0; i < norms.size(); ++i) EXPECT_NEAR(norms[i], alone[i], 1e-5);
}

TEST(TraceBoard, NamesATraceThatThrows) {
  const auto act = [](const Happening&, RunControl&) { throw std::runtime_error("no more ink"); };
  EXPECT_THAT(error_of_fit(heard_experiment({.interests = {{Occasion::kStep}}, .act = act})),
              HasSubstr("train.traces[0] ear, told of the end of a step, failed: no more ink"));
  EXPECT_THAT(
      error_of_fit(heard_experiment({.interests = {{Occasion::kBackward}}, .act = act})),
      HasSubstr("train.traces[0] ear, told of the gradients of an update, failed: no more"));
}

TEST(TraceBoard, TellsOfAnErrorBeforeItGoesOn) {
  std::string told;
  const auto act = [&](const Happening& happening, RunControl&) {
    told = happening.error;
    throw std::runtime_error(happening.error.empty() ? "torn page" : "and again");
  };
  const Heard wanted = {.interests = {{Occasion::kEpochEnd}, {Occasion::kException}}, .act = act};
  const std::string thrown = error_of_fit(heard_experiment(wanted));
  EXPECT_THAT(thrown, HasSubstr("torn page"));
  EXPECT_EQ(told, thrown);
}

TEST(TraceBoard, RefusesAWhenThatLeavesNothingToHear) {
  ExperimentOptions options = heard_experiment({.interests = {{Occasion::kEpochEnd}}});
  options.train.traces = {options.train.traces[0].when(Mode::kEval)};
  EXPECT_THAT(error_of_fit(options), HasSubstr("Leave 'when' out."));
  heard().interests = {{Occasion::kBackward}};
  EXPECT_THAT(error_of_fit(options), HasSubstr("happens in train only, but 'when' says eval."));
}

TEST(TraceBoard, RefusesAKeyThatNothingMakes) {
  EXPECT_THAT(error_of_fit(heard_experiment({.interests = {{Occasion::kStep}}, .keys = {"lable"}})),
              HasSubstr("train.traces[0] ear reads 'lable', which nothing makes. Did you mean "
                        "'label'?"));
}

}  // namespace
}  // namespace hearth
