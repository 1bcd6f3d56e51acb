// All traces at once: what they write and decide is the same after a kill, wherever it came; and
// none looks at every training step that need not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hearth/base/files.h"
#include "hearth/core/log_reader.h"
#include "hearth/train/estimator.h"
#include "hearth/train/trace_fixture_test.h"
#include "hearth/train/traces/best_model.h"
#include "hearth/train/traces/capture.h"
#include "hearth/train/traces/confusion_matrix.h"
#include "hearth/train/traces/csv.h"
#include "hearth/train/traces/embedding_saver.h"
#include "hearth/train/traces/gradient_watch.h"
#include "hearth/train/traces/image_saver.h"
#include "hearth/train/traces/instance_tracker.h"
#include "hearth/train/traces/lr_monitor.h"
#include "hearth/train/traces/memory.h"
#include "hearth/train/traces/model_saver.h"
#include "hearth/train/traces/nan_guard.h"
#include "hearth/train/traces/restore_on_plateau.h"
#include "hearth/train/traces/throughput.h"
#include "hearth/train/traces/time_budget.h"
#include "hearth/train/traces/timeline.h"
#include "hearth/train/traces/weight_watch.h"
#include "hearth/train/traces/worst_samples.h"

namespace hearth {
namespace {

constexpr int64_t kEpochs = 6;

// Two steps an epoch, which are too long to get better for long.
ExperimentOptions watched_experiment() {
  using namespace traces;
  ExperimentOptions options = heard_experiment({});
  options.folder = (fs::path(testing::TempDir()) / "every_trace_runs").string();
  options.optimizer = optimizers::sgd({.lr = 8});
  options.train.epochs = kEpochs;
  options.train.checkpoint = {.every = steps(1), .keep = 100};
  options.train.traces = {
      best_model({.keep = 2}),
      restore_on_plateau({.patience = 1}),
      model_saver({.interval = steps(2), .keep = 2}),
      lr_monitor({.interval = steps(1)}),
      csv(),
      csv({.interval = steps(1), .out = "steps"}),
      gradient_watch({.interval = steps(2), .bins = 4}),
      weight_watch({.interval = steps(2), .bins = 4}),
      capture({.layers = {"1"}, .what = {"mean", "histogram"}}),
      confusion_matrix(),
      confusion_matrix({.out = "trained_classes"}).when(Mode::kTrain),
      image_saver({.count = 6}),
      image_saver({.count = 12, .out = "trained_images"}).when(Mode::kTrain),
      instance_tracker(),
      instance_tracker({.out = "trained_samples"}).when(Mode::kTrain),
      embedding_saver({.in = "logits", .label = "label", .count = 12}),
      embedding_saver({.in = "logits", .count = 12, .out = "trained_rows"}).when(Mode::kTrain),
      worst_samples({.count = 3}),
      worst_samples({.image = "image", .count = 3, .out = "worst"}).when(Mode::kTrain),
      nan_guard({.keys = {"logits"}, .layers = {"1"}, .gradients = true}),
      throughput({.interval = steps(1)}),
      memory({.interval = steps(1)}),
      timeline({.first = 2, .steps = 4}),
      time_budget()};
  return options;
}

// Files by name, apart from those that tell times or states in progress.
std::map<std::string, std::string> files_of(const fs::path& run) {
  std::map<std::string, std::string> files;
  for (const char* folder : {"tables", "images", "files", "weights"})
    for (const auto& entry : fs::recursive_directory_iterator(run / folder))
      if (entry.is_regular_file() && entry.path().extension() != ".json")
        files[fs::relative(entry.path(), run)] = read_file(entry.path());
  for (const auto& entry : fs::directory_iterator(run / "checkpoints"))
    if (entry.path().filename().string().starts_with("best")) files[entry.path().filename()] = "";
  std::string log;
  for (Event event : read_run_log(run / "log.jsonl")) {
    event.time = 0;
    log += to_line(event);
  }
  files["log"] = log;
  return files;
}

std::set<std::string> kinds_in(const fs::path& log) {
  std::set<std::string> kinds;
  for (const Event& event : read_run_log(log)) kinds.insert(event.kind);
  return kinds;
}

void forget_checkpoints_after(const fs::path& run, int64_t step) {
  for (const auto& entry : fs::directory_iterator(run / "checkpoints")) {
    const std::string name = entry.path().stem();
    if (name.starts_with("step-") && std::stoll(name.substr(5)) > step) fs::remove(entry.path());
  }
}

// What a process did after its last checkpoint is still on disk when the next one does it again.
TEST(EveryTraceAtOnce, WritesTheSameAfterAKillAnywhere) {
  fs::path run;
  std::string digest;
  {
    Estimator estimator(watched_experiment());
    run = estimator.fit().run_folder;
    digest = estimator.state_digest();
  }
  const auto whole = files_of(run);
  EXPECT_THAT(kinds_in(run / "log.jsonl"),
              testing::IsSupersetOf({"restore_on_plateau", "learning_rates", "gradients", "capture",
                                     "weights_watched", "confusion_matrix", "instances", "weights",
                                     "worst_samples", "table", "image", "file"}));
  EXPECT_THAT(kinds_in(run / "history.jsonl"),
              testing::IsSupersetOf({"throughput", "memory", "file"}));
  for (int64_t step = 2 * kEpochs - 1; step >= 1; step -= 2) {
    forget_checkpoints_after(run, step);
    Estimator resumed = Estimator::resume(run);
    (void)resumed.fit();
    EXPECT_EQ(resumed.state_digest(), digest) << "killed after step " << step;
    const auto again = files_of(run);
    for (const auto& [name, content] : whole)
      EXPECT_TRUE(again.contains(name) && again.at(name) == content) << name << " after " << step;
    EXPECT_EQ(again.size(), whole.size()) << "killed after step " << step;
  }
}

TEST(EveryTraceAtOnce, ChangesNoBitsUnlessItIsAskedTo) {
  const auto digest = [](bool is_watched) {
    ExperimentOptions options = watched_experiment();
    std::erase_if(options.train.traces, [&](const Choice<Trace>& trace) {
      return !is_watched || trace.name() == "restore_on_plateau";
    });
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest(true), digest(false));
}

// Told of each training batch are only those that cannot do with less: a clock, a guard; `capture`
// leaves it to `every`.
TEST(EveryTraceAtOnce, LooksAtTrainingBatchesAsSeldomAsItCan) {
  const std::set<std::string> must = {"progress", "time_budget", "nan_guard", "capture"};
  for (const Choice<Trace>& choice : watched_experiment().train.traces) {
    if (must.contains(choice.name())) continue;
    const auto trace = registry<Trace>().make({choice.name(), Node::map()});
    for (const Interest& interest : trace->interests()) {
      const bool is_bounded = interest.every.value > 0 || interest.last > 0;
      const bool is_of_training =
          has_batch(interest.on) && interest.usual_modes().has(Mode::kTrain);
      EXPECT_TRUE(!is_of_training || is_bounded) << choice.name();
    }
  }
}

}  // namespace
}  // namespace hearth
