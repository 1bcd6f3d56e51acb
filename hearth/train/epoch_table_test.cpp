// Epochs of different lengths: batch sizes that a schedule gives, and the steps they lead to.
#include "hearth/train/epoch_table.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/schedule/schedules/piecewise.h"

namespace hearth {
namespace {

std::shared_ptr<const EpochTable> table_of(const ScheduledCount& size, int64_t epochs,
                                           int64_t per_step = 1) {
  return make_epoch_table({epochs, size, per_step, [](int64_t, int64_t batch_size) {
                             return (100 + batch_size - 1) / batch_size;
                           }});
}

TEST(EpochTable, OfOneBatchSizeIsASingleLine) {
  const auto table = table_of(32, 1'000'000'000, 2);
  EXPECT_TRUE(table->is_uniform());
  EXPECT_EQ(table->total_batches, 4'000'000'000);
  EXPECT_EQ(table->length.steps_per_epoch, 2);
  EXPECT_EQ(table->length.total_steps, 2'000'000'000);
  EXPECT_EQ(table->first_batch(3), 12);
  EXPECT_THROW((void)table_of(1, INT64_MAX), ConfigError);
}

TEST(EpochTable, CountsEpochsOfDifferentLengths) {
  const auto table = table_of(schedules::piecewise({.values = {10, 50}, .at = {epochs(2)}}), 4);
  EXPECT_EQ(table->batch_sizes, (std::vector<int64_t>{10, 10, 50, 50}));
  EXPECT_EQ(table->batches_before, (std::vector<int64_t>{0, 10, 20, 22, 24}));
  EXPECT_EQ(table->length.total_steps, 24);
  EXPECT_EQ(table->largest_batch(), 50);
  EXPECT_EQ(epochs(3).steps(table->length), 22);
  EXPECT_EQ(epochs(2.5).steps(table->length), 21);
  EXPECT_EQ(percent(50).steps(table->length), 12);
  EXPECT_EQ(table->length.first_epoch_from(11), 2);
  EXPECT_EQ(table->length.first_epoch_from(20), 2);
}

TEST(EpochTable, SettlesWhenTheScheduleHangsOnTheLength) {
  const auto table = table_of(schedules::piecewise({.values = {10, 50}, .at = {percent(60)}}), 4);
  EXPECT_EQ(table->batch_sizes, (std::vector<int64_t>{10, 10, 50, 50}));
}

TEST(EpochTable, CountsStepsOfSeveralBatches) {
  const auto table = table_of(schedules::piecewise({.values = {10, 25}, .at = {epochs(1)}}), 3, 4);
  EXPECT_EQ(table->batches_before, (std::vector<int64_t>{0, 10, 14, 18}));
  EXPECT_EQ(table->steps_before, (std::vector<int64_t>{0, 2, 3, 4}));
}

}  // namespace
}  // namespace hearth
