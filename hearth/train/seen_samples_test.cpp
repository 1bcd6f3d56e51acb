// Samples are counted as they were, also where batches are not full.
#include "hearth/train/seen_samples.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(SeenSamples, CountALastBatchAsItIs) {
  const TrainingLength length = {.steps_per_epoch = 3,
                                 .total_steps = 6,
                                 .batch_size = 4,
                                 .batches_per_epoch = 3,
                                 .samples_per_epoch = 10};
  EXPECT_EQ(samples_seen(0, length), 0);
  EXPECT_EQ(samples_seen(2, length), 8);
  EXPECT_EQ(samples_seen(3, length), 10);
  EXPECT_EQ(samples_seen(4, length), 14);
  EXPECT_EQ(samples_seen(6, length), 20);
}

TEST(SeenSamples, AreNoMoreThanThereAre) {
  const TrainingLength length = {.steps_per_epoch = 1,
                                 .total_steps = 3,
                                 .batch_size = 100'000,
                                 .batches_per_epoch = 1,
                                 .samples_per_epoch = 1440};
  EXPECT_EQ(samples_seen(3, length), 3 * 1440);
}

TEST(SeenSamples, FollowEpochsThatDiffer) {
  const std::vector<EpochLine> lines = {{.batch_size = 4},
                                        {.first_step = 3, .first_sample = 10, .batch_size = 8},
                                        {.first_step = 5, .first_sample = 20, .batch_size = 8}};
  const TrainingLength length = {
      .steps_per_epoch = 3, .total_steps = 5, .batch_size = 4, .epochs = &lines};
  EXPECT_EQ(samples_seen(2, length), 8);
  EXPECT_EQ(samples_seen(3, length), 10);
  EXPECT_EQ(samples_seen(4, length), 18);
  EXPECT_EQ(samples_seen(5, length), 20);
}

}  // namespace
}  // namespace hearth
