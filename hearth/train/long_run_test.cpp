// A run may be as long as it likes: what it holds in memory does not grow with its steps.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hearth/base/text.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"
#include "hearth/train/traces/best_model.h"
#include "hearth/train/traces/ledger.h"
#include "hearth/train/traces/progress.h"

namespace hearth {
namespace {

constexpr int64_t kSettled = 1000;  // steps
constexpr int64_t kMostGrowth = 1 << 20;

// HEARTH_STEPS asks for more of them (tools/soak).
int64_t steps_to_run() {
  const char* asked = std::getenv("HEARTH_STEPS");
  return asked == nullptr ? 4000 : read_integer(asked).value_or(4000);
}

// Without what the C library keeps of freed memory.
int64_t resident_bytes() {
  malloc_trim(0);
  int64_t all = 0;
  int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

ExperimentOptions long_experiment(int64_t steps) {
  ExperimentOptions options;
  options.name = "long";
  options.folder = (std::filesystem::path(testing::TempDir()) / "long_runs").string();
  options.threads = 1;
  options.data.train =
      sources::synthetic({.size = 8 * steps / 10, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = sources::synthetic({.size = 16, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
  options.data.batch_size = 8;
  options.data.workers = 0;
  options.model = layers::mlp({.hidden = {8}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd();
  options.metrics = {metrics::accuracy()};
  options.train.epochs = 10;
  options.train.checkpoint.every = hearth::steps(100);
  options.train.traces = {traces::best_model({.monitor = "eval/accuracy"}),
                          traces::ledger({.interval = hearth::steps(50)}),
                          {"progress", Node::map().set("seconds", Node::scalar("1e-9"))}};
  return options;
}

#ifndef __SANITIZE_ADDRESS__

TEST(LongRun, HasAtItsEndTheMemoryOfItsThousandthStep) {
  int64_t settled = 0;
  EstimatorSettings settings;
  settings.on_progress = [&](const Progress& progress) {
    if (settled == 0 && progress.moment.step >= kSettled) settled = resident_bytes();
  };
  const int64_t steps = steps_to_run();
  Estimator estimator(long_experiment(steps), settings);
  const Report report = estimator.fit();
  const int64_t grown = resident_bytes() - settled;
  EXPECT_EQ(report.steps, steps);
  ASSERT_GT(settled, 0);
  EXPECT_LE(grown, kMostGrowth) << "after " << report.steps << " steps";
  std::printf("%lld steps: %lld bytes more than after %lld\n", static_cast<long long>(steps),
              static_cast<long long>(grown), static_cast<long long>(kSettled));
  std::filesystem::remove_all(report.run_folder);
}

#endif

}  // namespace
}  // namespace hearth
