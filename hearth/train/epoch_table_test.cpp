// Epochs of different lengths: batch sizes that a schedule gives, and the steps they lead to.
#include "hearth/train/epoch_table.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/schedule/schedules/piecewise.h"

namespace hearth {
namespace {

std::shared_ptr<const EpochTable> table_of(const ScheduledCount& size, int64_t epochs,
                                           int64_t per_step = 1) {
  return make_epoch_table({epochs, size, [=](const Moment&) { return per_step; }, true,
                           [](const Moment&, int64_t batch_size) {
                             return EpochSize{(100 + batch_size - 1) / batch_size, 100};
                           }});
}

std::vector<int64_t> sizes_of(const EpochTable& table) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i + 1 < table.lines.size(); ++i) sizes.push_back(table.lines[i].batch_size);
  return sizes;
}

std::vector<int64_t> steps_of(const EpochTable& table) {
  std::vector<int64_t> steps;
  for (const EpochLine& line : table.lines) steps.push_back(line.first_step);
  return steps;
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
  EXPECT_EQ(sizes_of(*table), (std::vector<int64_t>{10, 10, 50, 50}));
  EXPECT_EQ(table->batches_before, (std::vector<int64_t>{0, 10, 20, 22, 24}));
  EXPECT_EQ(table->length.total_steps, 24);
  EXPECT_EQ(table->largest_batch(), 50);
  EXPECT_EQ(epochs(3).steps(table->length), 22);
  EXPECT_EQ(epochs(2.5).steps(table->length), 21);
  EXPECT_EQ(percent(50).steps(table->length), 12);
  EXPECT_EQ(table->length.first_epoch_from(11), 2);
  EXPECT_EQ(table->length.first_epoch_from(20), 2);
}

// Orders such as pk take no batch of any size.
TEST(EpochTable, AsksForNoSizeThatTheScheduleDoesNotHave) {
  const auto size = [](const Moment&, int64_t batch_size) {
    EXPECT_TRUE(batch_size == 10 || batch_size == 50) << batch_size;
    return EpochSize{100 / batch_size, 100};
  };
  for (const Time& at : {epochs(2), percent(60)})
    (void)make_epoch_table({4, schedules::piecewise({.values = {10, 50}, .at = {at}}),
                            [](const Moment&) { return 1; }, true, size});
}

TEST(EpochTable, SettlesWhenTheScheduleHangsOnTheLength) {
  const auto table = table_of(schedules::piecewise({.values = {10, 50}, .at = {percent(60)}}), 4);
  EXPECT_EQ(sizes_of(*table), (std::vector<int64_t>{10, 10, 50, 50}));
}

TEST(EpochTable, CountsStepsOfSeveralBatches) {
  const auto table = table_of(schedules::piecewise({.values = {10, 25}, .at = {epochs(1)}}), 3, 4);
  EXPECT_EQ(table->batches_before, (std::vector<int64_t>{0, 10, 14, 18}));
  EXPECT_EQ(steps_of(*table), (std::vector<int64_t>{0, 2, 3, 4}));
}

TEST(EpochTable, IsExactWhereStepsDoNotEndWithEpochs) {
  const auto table = table_of(20, 4, 2);  // 5 batches an epoch, 2 a step
  EXPECT_EQ(table->length.total_steps, 10);
  EXPECT_EQ(table->length.first_step(1), 2);
  EXPECT_EQ(table->length.first_step(2), 5);
  EXPECT_EQ(table->length.step_at(1, 1), 3);
  EXPECT_EQ(table->length.first_epoch_from(5), 2);
  EXPECT_EQ(table->length.first_epoch_from(6), 3);
  EXPECT_EQ(epochs(2).steps(table->length), 5);
  EXPECT_EQ(percent(50).steps(table->length), 5);
}

TEST(EpochTable, CountsSamplesOfBatchesThatAreNotFull) {
  const auto table = table_of(30, 3);  // 30, 30, 30, 10
  EXPECT_EQ(samples(100).steps(table->length), 4);
  EXPECT_EQ(samples(101).steps(table->length), 5);
  EXPECT_EQ(samples(190).steps(table->length), 7);
  EXPECT_EQ(samples(191).steps(table->length), 8);
}

TEST(EpochTable, CountsSamplesOfBatchSizesThatChange) {
  const auto table = table_of(schedules::piecewise({.values = {10, 50}, .at = {epochs(1)}}), 3);
  EXPECT_EQ(samples(95).steps(table->length), 10);
  EXPECT_EQ(samples(100).steps(table->length), 10);
  EXPECT_EQ(samples(150).steps(table->length), 11);
  EXPECT_EQ(samples(151).steps(table->length), 12);
}

// 5 batches an epoch: steps of 2, then of 4, with one batch waiting at each end.
TEST(EpochTable, CountsStepsWhoseAccumulationChanges) {
  const auto table = make_epoch_table(
      {3, 20, [](const Moment& moment) { return moment.epoch == 0 ? 2 : 4; }, false,
       [](const Moment&, int64_t) {
         return EpochSize{5, 100};
       }});
  EXPECT_EQ(steps_of(*table), (std::vector<int64_t>{0, 2, 3, 4}));
  EXPECT_EQ(table->lines[1].waiting_batches, 1);
  EXPECT_EQ(table->lines[2].waiting_batches, 2);
  EXPECT_EQ(table->length.step_at(1, 3), 3);
  EXPECT_EQ(table->length.step_at(1, 2), 2);
}

TEST(EpochTable, EndsAStepAtOnceWhenMoreWaitsThanItTakes) {
  const auto table = make_epoch_table(
      {2, 20, [](const Moment& moment) { return moment.epoch == 0 ? 8 : 2; }, false,
       [](const Moment&, int64_t) {
         return EpochSize{5, 100};
       }});
  EXPECT_EQ(steps_of(*table), (std::vector<int64_t>{0, 0, 3}));
  EXPECT_EQ(table->length.step_at(1, 1), 1);
  EXPECT_EQ(table->length.step_at(1, 3), 2);
}

// Two sets of samples: 2 batches of 10 in each of the first epochs, then 10.
std::shared_ptr<const EpochTable> table_of_sets(const Time& change, int64_t epochs) {
  return make_epoch_table(
      {epochs, 10, [](const Moment&) { return 1; }, true,
       [=](const Moment& moment, int64_t) {
         return moment.step < change.steps(moment.length) ? EpochSize{2, 20} : EpochSize{10, 100};
       },
       false});
}

TEST(EpochTable, CountsEpochsOfSetsThatTakeTurns) {
  const auto table = table_of_sets(epochs(2), 4);
  EXPECT_EQ(table->batches_before, (std::vector<int64_t>{0, 2, 4, 14, 24}));
  EXPECT_EQ(table->length.total_steps, 24);
  EXPECT_EQ(percent(50).steps(table->length), 12);
  EXPECT_EQ(samples(41).steps(table->length), 5);
  EXPECT_EQ(table->batch_size(3), 10);
}

TEST(EpochTable, SettlesWhenTheTurnHangsOnTheLength) {
  EXPECT_EQ(table_of_sets(samples(30), 4)->batches_before, (std::vector<int64_t>{0, 2, 4, 14, 24}));
  // Half of the steps: the longer the run, the later it comes, and the shorter the run becomes.
  EXPECT_THROW((void)table_of_sets(percent(50), 4), ConfigError);
}

}  // namespace
}  // namespace hearth
