#include "hearth/data/loader.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::AddNoise;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::FailAt;
using testing_data::hash_of;
using testing_data::hashes_of;
using testing_data::Ops;

Chain noisy_chain(int64_t size) {
  return {
      std::make_shared<CountingSource>(size),
      Ops{std::make_shared<AddNoise>("x", "x", false), std::make_shared<AddNoise>("x", "x", true)},
      {"x", "id"}};
}

LoaderOptions options_with(int workers, int depth, int most_depth = 0) {
  LoaderOptions options{.name = "train", .batch_size = 7, .workers = workers, .depth = depth};
  options.most_depth = most_depth;
  options.seed = 3;
  options.shuffle = true;
  options.epochs = 2;
  return options;
}

TEST(Loader, GivesTheSameBatchesForAnyWorkersAndDepth) {
  const Chain chain = noisy_chain(137);
  Loader plain(137, options_with(0, 1), chain.every_epoch());
  const auto expected = hashes_of(plain);
  ASSERT_EQ(expected.size(), 40U);
  for (const int workers : {0, 1, 2, 4, 8})
    for (const auto& [depth, most_depth] : {std::pair(1, 0), {2, 0}, {8, 0}, {1, 3}, {2, 16}}) {
      Loader loader(137, options_with(workers, depth, most_depth), chain.every_epoch());
      EXPECT_EQ(hashes_of(loader), expected)
          << workers << " workers, depth " << depth << " to " << most_depth;
    }
}

TEST(Loader, EveryEpochHoldsEverySampleOnceInAnotherOrder) {
  Loader loader(137, options_with(2, 2), noisy_chain(137).every_epoch());
  std::vector<std::vector<int64_t>> orders(2);
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    for (const int64_t sample : batch.samples())
      orders[static_cast<size_t>(batch.epoch())].push_back(sample);
  EXPECT_NE(orders[0], orders[1]);
  for (auto& order : orders) {
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), 137U);
    for (int64_t i = 0; i < 137; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  }
}

TEST(Loader, ResumesAtEveryBatchWithOtherWorkers) {
  const Chain chain = noisy_chain(137);
  Loader whole(137, options_with(1, 2), chain.every_epoch());
  const auto expected = hashes_of(whole);
  for (size_t done = 0; done <= expected.size(); ++done) {
    Loader first(137, options_with(static_cast<int>(done % 3), 2), chain.every_epoch());
    for (size_t i = 0; i < done; ++i) (void)first.next();
    const auto state = LoaderState::from_json(first.state().to_json());
    Loader second(137, options_with(static_cast<int>((done + 1) % 4), 3), chain.every_epoch());
    second.restore(state);
    const std::vector<std::string> rest(expected.begin() + static_cast<long>(done), expected.end());
    EXPECT_EQ(hashes_of(second), rest) << "after " << done;
  }
}

TEST(Loader, CountsAsDoneOnlyWhatWasGiven) {
  Loader loader(137, options_with(2, 8), noisy_chain(137).every_epoch());
  loader.start(0, 18);
  EXPECT_EQ(loader.state(), (LoaderState{0, 18}));
  (void)loader.next();
  EXPECT_EQ(loader.state(), (LoaderState{0, 19}));
  (void)loader.next();
  EXPECT_EQ(loader.state(), (LoaderState{1, 0}));
}

TEST(Loader, RefusesAStateBeyondTheEpoch) {
  Loader loader(20, options_with(0, 1), noisy_chain(20).every_epoch());
  try {
    loader.restore({.epoch = 2, .next_batch = 9});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(),
                 "train: cannot go on at batch 9 of epoch 2: an epoch has 3 batches. Were the data "
                 "or batch_size changed since?");
  }
  EXPECT_THROW((void)LoaderState::from_json({{"epoch", "x"}}), DataError);
}

TEST(Loader, GivesAShortLastBatchOrDropsIt) {
  LoaderOptions options = options_with(1, 2);
  options.epochs = 1;
  Loader all(20, options, noisy_chain(20).every_epoch());
  EXPECT_EQ(all.next().rows(), 7);
  EXPECT_EQ(all.next().rows(), 7);
  EXPECT_EQ(all.next().rows(), 6);
  EXPECT_TRUE(all.next().is_empty());
  EXPECT_TRUE(all.next().is_empty());
  options.last_batch = LastBatch::kDrop;
  Loader full(20, options, noisy_chain(20).every_epoch());
  EXPECT_EQ(full.batches(0), 2);
}

TEST(Loader, RefusesDataWithoutASingleBatch) {
  LoaderOptions options = options_with(0, 1);
  EXPECT_THROW(Loader(0, options, noisy_chain(1).every_epoch()), DataError);
  options.last_batch = LastBatch::kDrop;
  EXPECT_THROW(Loader(6, options, noisy_chain(6).every_epoch()), DataError);
  options.batch_size = 0;
  EXPECT_THROW(Loader(6, options, noisy_chain(6).every_epoch()), ConfigError);
}

TEST(Loader, WorksWithEpochsShorterThanTheDepth) {
  LoaderOptions options = options_with(3, 8);
  options.epochs = 30;
  Loader ahead(5, options, noisy_chain(5).every_epoch());
  options.workers = 0;
  Loader plain(5, options, noisy_chain(5).every_epoch());
  EXPECT_EQ(hashes_of(ahead), hashes_of(plain));
}

std::string error_of(Loader& loader, int& batches_before) {
  batches_before = 0;
  try {
    while (!loader.next().is_empty()) ++batches_before;
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(Loader, SaysTheSameErrorForAnyWorkersAndTheEarliestOne) {
  const Chain chain(std::make_shared<CountingSource>(60),
                    Ops{std::make_shared<AddNoise>("x", "x", true),
                        std::make_shared<FailAt>(std::set<int64_t>{17, 18, 30, 59})},
                    {"x", "id"}, {"noise", "fail_at"});
  for (const int workers : {0, 1, 2, 4, 8}) {
    LoaderOptions options = options_with(workers, 4);
    options.shuffle = false;
    Loader loader(60, options, chain.every_epoch());
    int before = 0;
    EXPECT_EQ(error_of(loader, before),
              "data error at train[17] (counting[17]): op 'fail_at': refuses 17.");
    EXPECT_EQ(before, 2);
    EXPECT_NE(error_of(loader, before), "") << "asking again must say it again";
  }
}

TEST(Loader, NamesTheSourceWhenReadingFails) {
  const Chain chain(std::make_shared<CountingSource>(9, std::set<int64_t>{3}), {}, {"x"});
  LoaderOptions options = options_with(1, 2);
  options.shuffle = false;
  Loader loader(9, options, chain.every_epoch());
  int before = 0;
  EXPECT_EQ(error_of(loader, before),
            "data error at train[3] (counting[3]): source: the bytes are damaged.");
}

TEST(Loader, ReplacesABrokenSampleByAlwaysTheSameOther) {
  const Chain chain(std::make_shared<CountingSource>(30, std::set<int64_t>{4, 11}), {},
                    {"x", "id"});
  std::vector<std::string> expected;
  for (const int workers : {0, 1, 4}) {
    LoaderOptions options = options_with(workers, 2);
    options.on_error = OnError::kReplace;
    options.batch_size = 30;
    options.epochs = 1;
    Loader loader(30, options, chain.every_epoch());
    const HostBatch batch = loader.next();
    ASSERT_EQ(batch.replacements().size(), 2U);
    EXPECT_LT(batch.replacements()[0].row, batch.replacements()[1].row);
    for (const Replacement& each : batch.replacements()) {
      const auto row = static_cast<size_t>(each.row);
      EXPECT_EQ(batch.samples()[row], each.substitute);
      EXPECT_EQ(reinterpret_cast<const int64_t*>(batch.data(1))[row], each.substitute);
      EXPECT_NE(each.reason.find("the bytes are damaged."), std::string::npos);
    }
    expected.push_back(hash_of(batch));
    EXPECT_EQ(expected.back(), expected.front());
  }
}

TEST(Loader, RaisesWhenNoReplacementWorks) {
  const Chain chain(std::make_shared<CountingSource>(2, std::set<int64_t>{0, 1}), {}, {"id"});
  LoaderOptions options = options_with(0, 1);
  options.on_error = OnError::kReplace;
  Loader loader(2, options, chain.every_epoch());
  EXPECT_THROW((void)loader.next(), DataError);
}

TEST(Loader, SaysTheErrorOfAPlanWhenItsEpochIsReached) {
  const Chain chain = noisy_chain(20);
  const auto plan = chain.made();
  for (const int most_depth : {0, 16}) {
    Loader loader(20, options_with(2, 4, most_depth), [&](int64_t epoch, int64_t) {
      if (epoch == 1) throw GraphError("no plan.");
      return plan;
    });
    for (int i = 0; i < 3; ++i) EXPECT_EQ(loader.next().epoch(), 0);
    EXPECT_THROW((void)loader.next(), GraphError);
    EXPECT_THROW((void)loader.next(), GraphError);
  }
}

TEST(Loader, TakesAnotherPlanExactlyAtItsEpoch) {
  const auto source = std::make_shared<CountingSource>(20);
  const Chain small(source, {}, {"id"});
  const Chain large(source, {}, {"x", "id"});
  const auto plans = std::vector{small.made(), large.made()};
  Loader loader(20, options_with(2, 8),
                [&](int64_t epoch, int64_t) { return plans[size_t(epoch)]; });
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    EXPECT_EQ(batch.plan().fields.size(), batch.epoch() == 0 ? 1U : 2U);
}

TEST(Loader, KeepsHoardedBatchesIntact) {
  const Chain chain = noisy_chain(137);
  Loader reference(137, options_with(0, 1), chain.every_epoch());
  const auto expected = hashes_of(reference);
  auto loader = std::make_unique<Loader>(137, options_with(2, 2), chain.every_epoch());
  std::vector<HostBatch> kept;
  for (HostBatch batch = loader->next(); !batch.is_empty(); batch = loader->next())
    kept.push_back(batch);
  EXPECT_EQ(loader->overflow_count(), 36);
  loader.reset();
  for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(hash_of(kept[i]), expected[i]);
}

TEST(Loader, NeedsNoMoreMemoryThanItSaidInAPlainLoop) {
  Loader loader(137, options_with(2, 2), noisy_chain(137).every_epoch());
  // 4 buffers of 7 rows (4 floats and a number, each field rounded up to 64) and 3 scratches.
  EXPECT_EQ(loader.memory_bytes(), 4 * (128 + 64) + 3 * 64);
  const auto plan = noisy_chain(137).every_epoch()(0, 0);
  EXPECT_EQ(Loader::memory_bytes(options_with(2, 2), *plan), loader.memory_bytes());
  (void)hashes_of(loader);
  EXPECT_EQ(loader.overflow_count(), 0);
}

TEST(Loader, MakesMoreOfSmallBatchesAheadWithinItsMemory) {
  const Chain chain = noisy_chain(137);
  Loader loader(137, options_with(1, 2, 16), chain.every_epoch());
  Loader few(137, options_with(1, 2), chain.every_epoch());
  EXPECT_EQ(loader.memory_bytes(), few.memory_bytes() + (256 << 10));
  std::vector<HostBatch> held;
  for (int i = 0; i < 17; ++i) held.push_back(loader.next());
  // Opened are 16, then 8 more whenever 8 of them are given.
  EXPECT_EQ(loader.overflow_count(), 32 - 18);
}

TEST(Loader, MakesAsManyOfLargeBatchesAheadAsItIsTold) {
  const Chain chain = noisy_chain(80'000);
  LoaderOptions options = options_with(1, 2, 16);
  options.batch_size = 8'000;
  Loader loader(80'000, options, chain.every_epoch());
  std::vector<HostBatch> held;
  for (int i = 0; i < 17; ++i) held.push_back(loader.next());
  EXPECT_EQ(loader.overflow_count(), 19 - 18);
}

class SlowSource : public CountingSource {
 public:
  using CountingSource::CountingSource;
  void read(int64_t index, std::span<const Cell> cells) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CountingSource::read(index, cells);
  }
};

TEST(Loader, EndsQuicklyInTheMiddleOfAnEpoch) {
  const Chain chain(std::make_shared<SlowSource>(10'000), {}, {"x", "id"});
  LoaderOptions options = options_with(2, 8);
  options.batch_size = 100;
  auto loader = std::make_unique<Loader>(10'000, options, chain.every_epoch());
  loader->start(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Stopwatch watch;
  loader.reset();
  EXPECT_LT(watch.seconds(), 0.2);
}

TEST(Loader, CanBeStartedAndStoppedHundredsOfTimes) {
  const Chain chain = noisy_chain(21);
  for (int i = 0; i < 300; ++i) {
    Loader loader(21, options_with(i % 4, 1 + i % 3, i % 5), chain.every_epoch());
    for (int given = 0; given < i % 7; ++given) (void)loader.next();
  }
}

TEST(Loader, CanBeMovedToAnotherPlaceWhileItWorks) {
  const Chain chain = noisy_chain(137);
  Loader reference(137, options_with(0, 1), chain.every_epoch());
  const auto expected = hashes_of(reference);
  Loader loader(137, options_with(3, 4, 16), chain.every_epoch());
  for (int64_t i = 0; i < 40; ++i) {
    const int64_t at = i * 23 % 40;
    loader.start(at / 20, at % 20);
    EXPECT_EQ(hash_of(loader.next()), expected[static_cast<size_t>(at)]);
  }
}

TEST(Loader, StopsAtTheEndEpochItWasStartedWith) {
  Loader loader(20, options_with(1, 4), noisy_chain(20).every_epoch());
  loader.start(5, 0, 6);
  EXPECT_EQ(hashes_of(loader).size(), 3U);
}

TEST(Loader, LeavesOutKeysThatNobodyNeeds) {
  const auto source = std::make_shared<CountingSource>(20);
  LoaderOptions options = options_with(2, 2);
  options.epochs = 1;
  Loader loader(20, options, Chain(source, {}, {"id"}).every_epoch());
  (void)hashes_of(loader);
  EXPECT_EQ(source->reads, 20);
  EXPECT_EQ(source->x_reads, 0);
}

TEST(Loader, RunsOnlyTheOpsOfThePlan) {
  const auto source = std::make_shared<CountingSource>(20);
  const auto kept = std::make_shared<AddNoise>("x", "x", true);
  const auto pruned = std::make_shared<AddNoise>("x", "y", false);
  Chain chain(source, Ops{kept, pruned}, {"x", "id"});
  chain.plan.steps.pop_back();
  LoaderOptions options = options_with(1, 2);
  options.epochs = 1;
  Loader loader(20, options, chain.every_epoch());
  (void)hashes_of(loader);
  EXPECT_EQ(kept->runs, 20);
  EXPECT_EQ(pruned->runs, 0);
}

}  // namespace
}  // namespace hearth
