#include "hearth/data/worker_tuner.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hearth {
namespace {

// Batches that take a second of data work, or `work`, shared by workers and consumer, and `step` of
// its own.
void run_batches(WorkerTuner& tuner, int batches, double step, int useful, double work = 1.0) {
  for (int i = 0; i < batches; ++i) {
    const double data = work / (1 + std::min(tuner.active(), useful));
    (void)tuner.note(data, data + step);
  }
}

TEST(WorkerTuner, AddsWorkersWhileTheySaveTime) {
  WorkerTuner tuner(0, 8);
  run_batches(tuner, 2000, 0.1, 100);
  EXPECT_EQ(tuner.active(), 8);
}

TEST(WorkerTuner, TellsWhatAWorkerSavesOfShortBatches) {
  WorkerTuner tuner(0, 8);
  run_batches(tuner, 90000, 0.0001, 3, 0.001);
  EXPECT_EQ(tuner.active(), 3);
}

TEST(WorkerTuner, TakesBackAWorkerThatSavedNothing) {
  WorkerTuner tuner(0, 8);
  run_batches(tuner, 400, 0.1, 2);
  EXPECT_EQ(tuner.active(), 2);
}

TEST(WorkerTuner, DecidesNothingWithinMilliseconds) {
  WorkerTuner tuner(0, 8);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(tuner.note(0.001, 0.002));
  EXPECT_EQ(tuner.active(), 0);
}

TEST(WorkerTuner, LeavesAFastPipelineAlone) {
  WorkerTuner tuner(1, 8);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(tuner.note(0.01, 1.0));
  EXPECT_EQ(tuner.active(), 1);
  EXPECT_NEAR(tuner.wait_share(), 0.01, 1e-9);
}

}  // namespace
}  // namespace hearth
