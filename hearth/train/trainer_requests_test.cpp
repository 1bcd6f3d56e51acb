// What traces may ask of a run: lines of the log, files, evaluations; the same after a resume.
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "hearth/base/files.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/png.h"
#include "hearth/train/estimator.h"
#include "hearth/train/trace_fixture_test.h"

namespace hearth {
namespace {

using testing::ElementsAre;

ExperimentOptions asking_experiment(Heard wanted) {
  ExperimentOptions options = heard_experiment(std::move(wanted));
  options.folder = (fs::path(testing::TempDir()) / "requests_runs").string();
  return options;
}

// All lines but their times, which differ from run to run.
std::vector<std::string> lines_of(const fs::path& run) {
  std::vector<std::string> lines;
  for (Event event : read_run_log(run / "log.jsonl")) {
    event.time = 0;
    lines.push_back(to_line(event));
  }
  return lines;
}

std::vector<std::string> kinds_of(const fs::path& run) {
  std::vector<std::string> kinds;
  for (const Event& event : read_run_log(run / "log.jsonl"))
    kinds.push_back(event.kind + " " + std::to_string(event.step));
  return kinds;
}

void ask_for_all(const Happening& happening, RunControl& run) {
  run.record({"mood", 0, 0, 0, {{"good", static_cast<double>(happening.step)}}, {}});
  (void)run.save_table("moods", {{"step", "why"}, {{std::to_string(happening.step), "a, \"b\""}}});
  (void)run.save_image("sky", at::full({3, 2, 4}, 0.2));
  if (happening.step == 1) run.request_evaluation();
}

TEST(Requests, LinesFilesAndEvaluationsComeWhereTheyWereAskedFor) {
  const Heard wanted = {.interests = {{.on = Occasion::kStep, .every = steps(3)}},
                        .act = ask_for_all};
  const fs::path run = Estimator(asking_experiment(wanted)).fit().run_folder;
  EXPECT_THAT(kinds_of(run),
              ElementsAre("step 1", "step 2", "epoch 2", "eval 2", "step 3", "mood 3", "table 3",
                          "image 3", "step 4", "epoch 4", "eval 4"));
  EXPECT_EQ(read_file(run / "tables/moods/step-3.csv"), "step,why\n3,\"a, \"\"b\"\"\"\n");
  const Image image = load_png(run / "images/sky/step-3.png", 3);
  EXPECT_EQ(image.width, 4);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.pixels[0], 51);
}

TEST(Requests, AnEvaluationIsDoneAfterTheBatchThatAskedForIt) {
  const Heard wanted = {.interests = {{Occasion::kStep}}, .act = ask_for_all};
  const fs::path run = Estimator(asking_experiment(wanted)).fit().run_folder;
  std::vector<std::string> kinds = kinds_of(run);
  std::erase_if(kinds, [](const std::string& kind) {
    return !kind.starts_with("step") && !kind.starts_with("eval");
  });
  EXPECT_THAT(kinds,
              ElementsAre("step 1", "eval 1", "step 2", "eval 2", "step 3", "step 4", "eval 4"));
}

TEST(Requests, AResumedRunHasTheSameLogAndFiles) {
  const Heard wanted = {.interests = {{Occasion::kStep}}, .act = ask_for_all};
  const fs::path whole = Estimator(asking_experiment(wanted)).fit().run_folder;
  for (int64_t stop = 1; stop < 4; ++stop) {
    std::atomic<bool> interrupt = false;
    ExperimentOptions options = asking_experiment(wanted);
    heard().act = [&](const Happening& happening, RunControl& run) {
      ask_for_all(happening, run);
      if (happening.step == stop) interrupt = true;
    };
    fs::path run;
    {
      Estimator first(options, {.interrupt = &interrupt});
      run = first.fit().run_folder;
    }
    heard().act = ask_for_all;
    (void)Estimator::resume(run).fit();
    EXPECT_EQ(lines_of(run), lines_of(whole)) << "interrupted after step " << stop;
    for (int64_t step = 1; step <= 4; ++step) {
      const std::string table = "tables/moods/step-" + std::to_string(step) + ".csv";
      EXPECT_EQ(read_file(run / table), read_file(whole / table));
    }
  }
}

// The second set is never measured before the resume, which measures the first one again.
TEST(Requests, AnInterruptedEvaluationLeavesNothingInTheLog) {
  const auto run_with = [](std::atomic<bool>* interrupt) {
    const auto act = [interrupt](const Happening&, RunControl& run) {
      run.record({"mood", 0, 0, 0, {}, {}});
      if (interrupt != nullptr) *interrupt = true;
    };
    ExperimentOptions options =
        asking_experiment({.interests = {{Occasion::kEvaluationEnd}}, .act = act});
    const Choice<Source> set = options.data.eval.all().front().second;
    options.data.eval = std::vector<NamedChoices<Source>::Named>{{"one", set}, {"two", set}};
    return Estimator(options, {.interrupt = interrupt}).fit().run_folder;
  };
  const fs::path whole = run_with(nullptr);
  std::atomic<bool> interrupt = false;
  const fs::path run = run_with(&interrupt);
  EXPECT_THAT(kinds_of(run), ElementsAre("step 1", "step 2"));
  heard().act = [](const Happening&, RunControl& told) { told.record({"mood", 0, 0, 0, {}, {}}); };
  (void)Estimator::resume(run).fit();
  EXPECT_EQ(lines_of(run), lines_of(whole));
}

TEST(Requests, NothingIsKeptOutsideOfTraining) {
  const Heard wanted = {.interests = {{Occasion::kEvaluationEnd}},
                        .act = [](const Happening&, RunControl& run) {
                          run.record({"mood", 0, 0, 0, {}, {}});
                        }};
  Estimator estimator(asking_experiment(wanted));
  const fs::path run = estimator.fit().run_folder;
  const std::vector<std::string> before = lines_of(run);
  (void)estimator.evaluate();
  EXPECT_EQ(heard().notes.size(), 3U);
  EXPECT_EQ(lines_of(run), before);
}

}  // namespace
}  // namespace hearth
