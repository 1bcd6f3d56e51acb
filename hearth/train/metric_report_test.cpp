// Metrics of several numbers and tables: in the log, in reports, as monitors, through a checkpoint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/metric/metrics/classification/confusion.h"
#include "hearth/metric/metrics/classification/f1.h"
#include "hearth/metric/metrics/expression.h"
#include "hearth/metric/metrics/running.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"
#include "hearth/train/traces/best_model.h"
#include "hearth/train/traces/progress.h"

namespace hearth {
namespace {

ExperimentOptions measured_experiment() {
  ExperimentOptions options;
  options.name = "measured";
  options.folder = (std::filesystem::path(testing::TempDir()) / "metric_runs").string();
  options.data.train = sources::synthetic({.size = 40, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = sources::synthetic({.size = 12, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
  options.data.batch_size = 8;
  options.model = layers::mlp({.hidden = {8}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.05});
  options.metrics = {metrics::f1(), metrics::confusion(), metrics::running()};
  options.train.epochs = 2;
  options.train.traces = {traces::best_model({.monitor = "eval/f1/weighted"})};
  return options;
}

// The log without its times.
std::vector<std::string> timeless_log(const std::string& run) {
  std::vector<std::string> lines;
  for (Event event : read_run_log(std::filesystem::path(run) / "log.jsonl")) {
    event.time = 0;
    lines.push_back(to_line(event));
  }
  return lines;
}

TEST(MetricReport, HasEveryNumberUnderItsName) {
  Estimator estimator(measured_experiment(), {.keeps_run = false});
  const Report report = estimator.fit();
  for (const char* name : {"train/f1", "eval/f1", "eval/f1/macro", "eval/f1/micro",
                           "eval/f1/weighted", "train/running_loss"})
    EXPECT_TRUE(report.metrics.contains(name)) << name;
  EXPECT_FALSE(report.metrics.contains("eval/confusion"));
  const Report measured = estimator.evaluate();
  const Table& table = measured.tables.at("eval/confusion");
  EXPECT_EQ(table.rows.size(), 3u);
  double samples = 0;
  for (const double count : table.cells) samples += count;
  EXPECT_EQ(samples, 12);
}

TEST(MetricReport, LogsTablesOnceAnEpoch) {
  Estimator estimator(measured_experiment());
  const Report report = estimator.fit();
  std::vector<std::string> tables;
  for (const Event& event : read_run_log(std::filesystem::path(report.run_folder) / "log.jsonl"))
    if (event.kind == "table") {
      tables.push_back(event.details.at("name").get<std::string>());
      EXPECT_EQ(event.details.at("cells").size(), event.details.at("rows").size());
    }
  EXPECT_THAT(tables,
              testing::ElementsAre("train/confusion", "train/f1", "eval/confusion", "eval/f1",
                                   "train/confusion", "train/f1", "eval/confusion", "eval/f1"));
}

TEST(MetricReport, IsTheSameAfterAStopInTheMiddleOfAnEpoch) {
  ExperimentOptions options = measured_experiment();
  options.train.traces.push_back(traces::progress({.seconds = 1e-9}));  // shown at every step
  const std::string whole = Estimator(options).fit().run_folder;
  std::atomic<bool> interrupt = false;
  const auto stop = [&](const Progress& progress) { interrupt = progress.moment.step == 7; };
  const Report stopped = Estimator(options, {.on_progress = stop, .interrupt = &interrupt}).fit();
  ASSERT_EQ(stopped.steps, 7);  // of 5 an epoch
  (void)Estimator::resume(stopped.run_folder).fit();
  EXPECT_EQ(timeless_log(stopped.run_folder), timeless_log(whole));
}

TEST(MetricReport, SuggestsTheNumberThatAMonitorMeans) {
  ExperimentOptions options = measured_experiment();
  options.train.traces = {traces::best_model({.monitor = "eval/f1/wieghted"})};
  EXPECT_THAT(message_of<GraphError>([&] { (void)Estimator(options, {.keeps_run = false}).fit(); }),
              testing::HasSubstr("Did you mean 'eval/f1/weighted'?"));
}

TEST(MetricReport, HasNumbersMadeOfOthers) {
  ExperimentOptions options = measured_experiment();
  options.metrics = {metrics::expression({.of = "half / 2", .out = "quarter"}).when(Mode::kEval),
                     metrics::accuracy(),
                     metrics::expression({.of = "(accuracy + 'f1/macro') / 4", .out = "half"}),
                     metrics::f1()};
  EXPECT_THAT(message_of<GraphError>([&] { Estimator(options, {.keeps_run = false}); }),
              testing::HasSubstr("uses 'half', which nothing measures."));
  std::rotate(options.metrics.begin(), options.metrics.begin() + 1, options.metrics.end());
  options.train.traces = {traces::best_model({.monitor = "eval/quarter"})};
  const Report report = Estimator(options, {.keeps_run = false}).fit();
  EXPECT_DOUBLE_EQ(report.metrics.at("eval/quarter"),
                   (report.metrics.at("eval/accuracy") + report.metrics.at("eval/f1/macro")) / 8);
  EXPECT_TRUE(report.metrics.contains("train/half"));
  EXPECT_FALSE(report.metrics.contains("train/quarter"));
}

// The training goes on.
TEST(MetricReport, MayHoldNumbersThatAreUndefined) {
  ExperimentOptions options = measured_experiment();
  options.metrics = {metrics::accuracy(), metrics::expression({.of = "accuracy / 0 * 0"})};
  options.train.traces = {};
  const Report report = Estimator(options, {.keeps_run = false}).fit();
  EXPECT_EQ(report.steps, 10);
}

TEST(MetricReport, RefusesAMetricThatReportsAsANumberOfAnother) {
  ExperimentOptions options = measured_experiment();
  options.metrics = {metrics::f1(), metrics::accuracy({.out = "f1/macro"})};
  EXPECT_THAT(message_of<GraphError>([&] { Estimator(options, {.keeps_run = false}); }),
              testing::HasSubstr("reports as 'f1/macro', and so does metrics[1] f1"));
}

}  // namespace
}  // namespace hearth
