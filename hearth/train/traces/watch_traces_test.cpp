// What traces that watch weights, values and times write down is what there is.
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/csv.h"
#include "hearth/network/network.h"
#include "hearth/train/chrome_trace.h"
#include "hearth/train/code_traces.h"
#include "hearth/train/estimator.h"
#include "hearth/train/run_fixture.h"
#include "hearth/train/trace_fixture_test.h"
#include "hearth/train/traces/csv.h"
#include "hearth/train/traces/lr_monitor.h"
#include "hearth/train/traces/memory.h"
#include "hearth/train/traces/model_saver.h"
#include "hearth/train/traces/nan_guard.h"
#include "hearth/train/traces/throughput.h"
#include "hearth/train/traces/timeline.h"
#include "hearth/train/traces/weight_watch.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ExperimentOptions traced_experiment(std::vector<Choice<Trace>> added, Heard wanted = {}) {
  ExperimentOptions options = heard_experiment(std::move(wanted));
  options.folder = (fs::path(testing::TempDir()) / "watch_traces_runs").string();
  for (Choice<Trace>& trace : added) options.train.traces.push_back(std::move(trace));
  return options;
}

std::vector<Event> events_of(const fs::path& log, const std::string& kind) {
  std::vector<Event> events = read_run_log(log);
  std::erase_if(events, [&](const Event& event) { return event.kind != kind; });
  return events;
}

TEST(WeightWatch, TellsNormsAndHowFarAStepMovesThem) {
  std::vector<at::Tensor> seen;  // the weight, before and after the step
  Estimator* running = nullptr;
  const auto act = [&](const Happening& happening, RunControl&) {
    if (happening.step != 2) return;
    const auto parameters = running->network().models().find("net").layer().parameters();
    seen.push_back(parameters[0].second.detach().clone());
  };
  Estimator estimator(traced_experiment(
      {traces::weight_watch({.interval = steps(2), .by = "parameter", .bins = 3})},
      {.interests = {{Occasion::kBackward}, {Occasion::kStep}}, .act = act}));
  running = &estimator;
  const fs::path run = estimator.fit().run_folder;
  const std::vector<Event> events = events_of(run / "log.jsonl", "weights_watched");
  ASSERT_EQ(events.size(), 2U);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(events[0].step, 2);
  std::map<std::string, double> values(events[0].values.begin(), events[0].values.end());
  EXPECT_NEAR(values.at("net/1.weight"), seen[1].norm().item<double>(), 1e-6);
  EXPECT_NEAR(values.at("net/1.weight/update_ratio"),
              seen[1].sub(seen[0]).norm().div(seen[0].norm()).item<double>(), 1e-6);
  EXPECT_EQ(events[0].details.at("net/1.weight").at("counts").size(), 3U);
}

at::Tensor with_nan_in_row(int64_t row) {
  at::Tensor values = at::full({FakeRun::kRows, 2}, 0.5);
  values[row][1].fill_(std::numeric_limits<double>::quiet_NaN());
  return values;
}

TEST(NanGuard, NamesTheKeyAndTheSamples) {
  const auto trace = registry<Trace>().make(traces::nan_guard({.keys = {"fine", "scores"}}));
  FakeRun run({}, [](const std::string& key, int64_t) {
    return key == "fine" ? at::full({FakeRun::kRows}, 1.0) : with_nan_in_row(4);
  });
  run.run_step(*trace);
  EXPECT_THAT(run.log(), HasSubstr("not finite: the key 'scores' (of sample10) nan"));
  EXPECT_THAT(run.log(), HasSubstr("\"samples\":[10]"));
}

TEST(NanGuard, NamesTheLayerThatIsToBlame) {
  Estimator* running = nullptr;
  const auto spoil = [&](const Happening&, RunControl&) {
    const auto parameters = running->network().models().find("net").layer().parameters();
    parameters[1].second.detach().fill_(std::numeric_limits<double>::quiet_NaN());
  };
  ExperimentOptions options =
      traced_experiment({traces::nan_guard({.keys = {"loss"}, .layers = {"*"}})},
                        {.interests = {{Occasion::kStep}}, .act = spoil});
  options.train.on_nan = "warn";
  std::string notices;
  const auto hear = [&](const std::string& text) { notices += text + "\n"; };
  Estimator estimator(options, {.on_notice = hear, .keeps_run = false});
  running = &estimator;
  (void)estimator.fit();
  EXPECT_THAT(notices, HasSubstr("the output of the layer net.1 (of "));
}

TEST(ModelSaver, KeepsTheNewestFilesWhichAModelCanBeginWith) {
  ExperimentOptions options = traced_experiment({traces::model_saver({.keep = 1})});
  Estimator estimator(options);
  const fs::path run = estimator.fit().run_folder;
  const std::vector<fs::path> files = list_folder(run / "weights/model");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].filename(), "step-4.safetensors");
  EXPECT_EQ(events_of(run / "log.jsonl", "weights").size(), 2U);
  options.train.traces.clear();
  options.train.epochs = 1;
  options.optimizer = optimizers::sgd({.lr = 1e-30});
  options.weights = WeightsOptions{.file = files[0].string()};
  Estimator begun(options, {.keeps_run = false});
  (void)begun.fit();
  EXPECT_EQ(begun.weights_digest(), estimator.weights_digest());
}

TEST(Csv, HasARowForEachEpochOrStep) {
  const fs::path run =
      Estimator(traced_experiment({traces::csv({.metrics = {"eval/loss"}}),
                                   traces::csv({.interval = steps(1), .out = "fine"})}))
          .fit()
          .run_folder;
  const auto epochs = parse_csv(read_file(run / "tables/metrics.csv"), "csv");
  ASSERT_EQ(epochs.size(), 3U);
  EXPECT_THAT(epochs[0].fields, ElementsAre("epoch", "step", "eval/loss"));
  EXPECT_EQ(epochs[2].fields[1], "4");
  const auto fine = parse_csv(read_file(run / "tables/fine.csv"), "csv");
  ASSERT_EQ(fine.size(), 5U);
  EXPECT_EQ(fine[0].fields[2], "step/loss");
  EXPECT_FALSE(fine[4].fields[2].empty());
}

TEST(LrMonitor, LogsARateWhenItHasChanged) {
  const fs::path run =
      Estimator(traced_experiment({traces::lr_monitor({.interval = steps(1)})})).fit().run_folder;
  const std::vector<Event> events = events_of(run / "log.jsonl", "learning_rates");
  ASSERT_EQ(events.size(), 1U) << "it is constant";
  EXPECT_EQ(events[0].values.front(), (std::pair<std::string, double>("net", 0.1)));
}

TEST(ProcessTraces, WriteIntoTheHistoryAndNotTheLog) {
  const fs::path run = Estimator(traced_experiment({traces::throughput({.interval = steps(2)}),
                                                    traces::memory({.interval = steps(2)})}))
                           .fit()
                           .run_folder;
  for (const char* kind : {"throughput", "memory"}) {
    EXPECT_TRUE(events_of(run / "log.jsonl", kind).empty());
    const std::vector<Event> events = events_of(run / "history.jsonl", kind);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].step, 2);
    EXPECT_GT(events[0].values.front().second, 0);
  }
}

TEST(Memory, EndsAProcessThatTakesTooMuchSoThatItCanBeResumed) {
  Estimator estimator(
      traced_experiment({traces::memory({.interval = steps(1), .limit = ByteSize{1}})}));
  const Report report = estimator.fit();
  EXPECT_EQ(report.steps, 1);
  EXPECT_TRUE(estimator.evaluate().metrics.contains("eval/loss"))
      << "a pause is over when the training is";
}

TEST(Timeline, WritesSpansThatLieWithinEachOther) {
  const fs::path run =
      Estimator(traced_experiment({traces::timeline({.first = 1, .steps = 3})})).fit().run_folder;
  const Json trace = Json::parse(read_file(run / "files/timeline/step-4.json"));
  std::map<std::string, double> begins, lasts;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    begins[event.at("name")] = event.at("ts").get<double>();
    lasts[event.at("name")] = event.at("dur").get<double>();
  }
  EXPECT_TRUE(begins.contains("step 3") && begins.contains("evaluation of eval"));
  EXPECT_GE(begins.at("forward"), begins.at("step 3"));
  EXPECT_GT(lasts.at("step 2"), 0);
  EXPECT_LT(begins.at("step 2"), begins.at("step 3"));
  EXPECT_EQ(events_of(run / "history.jsonl", "file").size(), 1U);
  EXPECT_TRUE(events_of(run / "log.jsonl", "file").empty());
}

TEST(Lambda, IsCalledAtItsOccasionsWithItsKeys) {
  int64_t rows = 0;
  const Choice<Trace> trace =
      traces::lambda("count_rows", {.on = {{Occasion::kBatchEnd}},
                                    .reads = {"label"},
                                    .call = [&](const Happening& happening, RunControl& run) {
                                      rows += happening.values[0].size(0);
                                      if (rows == 16) run.request_stop("seen enough");
                                    }});
  EXPECT_EQ(Estimator(traced_experiment({trace}), {.keeps_run = false}).fit().steps, 2);
  EXPECT_EQ(rows, 16);
  EXPECT_THAT(message_of<ConfigError>([] { (void)traces::lambda("nothing", {}); }),
              HasSubstr("needs a function to call"));
}

}  // namespace
}  // namespace hearth
