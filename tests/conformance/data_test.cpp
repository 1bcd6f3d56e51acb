// Every source, op and order gives the same batches for any number of workers.
#include <algorithm>

#include <gtest/gtest.h>

#include "hearth/data/fixtures_test.h"
#include "hearth/data/loader.h"
#include "hearth/data/order.h"
#include "hearth/data/sources/digits.h"
#include "tests/conformance/data_cases.h"

namespace hearth {
namespace {

using testing_data::BatchOps;
using testing_data::Chain;
using testing_data::hashes_of;
using testing_data::Ops;
using testing_data::values_hash_of;

std::vector<std::string> batches_of(const Chain& chain, int workers,
                                    std::shared_ptr<const Order> order = {}) {
  LoaderOptions options{.name = "train", .batch_size = 16, .workers = workers, .depth = 3};
  options.shuffle = true;
  options.order = std::move(order);
  options.epochs = 2;
  Loader loader(chain.source->size(), options, chain.every_epoch());
  return hashes_of(loader);
}

void expect_same_batches(const Chain& chain) {
  const std::vector<std::string> expected = batches_of(chain, 0);
  ASSERT_FALSE(expected.empty());
  for (const int workers : {1, 4}) EXPECT_EQ(batches_of(chain, workers), expected) << workers;
}

class EverySource : public CaseTest<Source, SourceCase> {};

TEST_P(EverySource, GivesTheSameBatchesForAnyWorkers) {
  const auto source = opened_source(choice());
  expect_same_batches({source, {}, keys_of(*source)});
}
INSTANTIATE_TEST_SUITE_P(Registry, EverySource, testing::ValuesIn(all_cases<Source, SourceCase>()),
                         kCaseName);

// With the ops before it, and all that it writes wanted.
template <class Base>
void try_op(const Tried<Base, OpCase>& tried) {
  try {
    Ops ops;
    BatchOps batch_ops;
    for (const Choice<SampleOp>& before : tried.tried.before)
      ops.push_back(registry<SampleOp>().make(before));
    const std::shared_ptr<const Base> op = registry<Base>().make(tried.choice);
    if constexpr (std::is_same_v<Base, SampleOp>)
      ops.push_back(op);
    else
      batch_ops.push_back(op);
    expect_same_batches({opened_source(tried.tried.source), ops, op->writes(), {}, batch_ops});
  } catch (const std::exception& error) {
    FAIL() << error.what() << "\nGive it other options, another `source` or ops `before` it in "
           << case_file(KindOf<Base>::name, tried.component).path;
  }
}

class EverySampleOp : public CaseTest<SampleOp, OpCase> {};

TEST_P(EverySampleOp, GivesTheSameBatchesForAnyWorkers) { try_op(GetParam()); }

// What caches and packed data are made of.
TEST_P(EverySampleOp, MakesTheSameOfASampleInEveryEpochWhenItSaysThatItDrawsNothing) {
  Ops ops;
  for (const Choice<SampleOp>& before : GetParam().tried.before)
    ops.push_back(registry<SampleOp>().make(before));
  ops.push_back(registry<SampleOp>().make(GetParam().choice));
  if (std::any_of(ops.begin(), ops.end(), [](const auto& op) { return op->is_random(); })) return;
  const Chain chain(opened_source(GetParam().tried.source), ops, ops.back()->writes());
  const auto batches_with = [&](uint64_t seed, int64_t epoch) {
    LoaderOptions options{.name = "train", .batch_size = 16, .seed = seed};
    Loader loader(chain.source->size(), options, chain.every_epoch());
    std::vector<std::string> values;
    for (loader.start(epoch, 0, epoch + 1);;) {
      const HostBatch batch = loader.next();
      if (batch.is_empty()) return values;
      values.push_back(values_hash_of(batch));
    }
  };
  EXPECT_EQ(batches_with(1, 0), batches_with(2, 3));
}
INSTANTIATE_TEST_SUITE_P(Registry, EverySampleOp, testing::ValuesIn(all_cases<SampleOp, OpCase>()),
                         kCaseName);

class EveryBatchOp : public CaseTest<BatchOp, OpCase> {};

TEST_P(EveryBatchOp, GivesTheSameBatchesForAnyWorkers) { try_op(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Registry, EveryBatchOp, testing::ValuesIn(all_cases<BatchOp, OpCase>()),
                         kCaseName);

class EveryOrder : public CaseTest<Order, OptionsCase> {};

TEST_P(EveryOrder, GivesTheSameBatchesForAnyWorkersAndOnlySamplesThatAreThere) {
  const auto source = opened_source(sources::digits({.split = "test"}));
  const std::shared_ptr<Order> order = make();
  order->open(*source);
  const Chain chain(source, {}, keys_of(*source));
  const auto expected = batches_of(chain, 0, order);
  for (const int workers : {1, 4}) EXPECT_EQ(batches_of(chain, workers, order), expected);
  const auto epoch = order->epoch({.samples = source->size(), .batch_size = 16, .epoch = 1});
  for (int64_t batch = 0; batch < epoch->batches(); ++batch)
    for (int64_t row = 0; row < epoch->rows(batch); ++row) {
      EXPECT_EQ(epoch->sample(batch, row), epoch->sample(batch, row));
      EXPECT_GE(epoch->sample(batch, row), 0);
      EXPECT_LT(epoch->sample(batch, row), source->size());
    }
}

// The straight run asks one order for everything; who resumes makes it anew and asks from anywhere.
TEST_P(EveryOrder, GoesOnTheSameAtAHundredRandomPositions) {
  const auto source = opened_source(sources::digits({.split = "test"}));
  constexpr int64_t kEpochs = 4;
  const auto request = [&](int64_t epoch) {
    return OrderRequest{source->size(), 16, false, 7, epoch};
  };
  const std::shared_ptr<Order> straight = make();
  straight->open(*source);
  std::vector<std::shared_ptr<const EpochOrder>> epochs;
  for (int64_t epoch = 0; epoch < kEpochs; ++epoch)
    epochs.push_back(straight->epoch(request(epoch)));
  Random random({.seed = 5});
  for (int i = 0; i < 100; ++i) {
    const std::shared_ptr<Order> resumed = make();
    resumed->open(*source);
    const auto epoch = random.between(0, kEpochs - 1);
    const EpochOrder& expected = *epochs[static_cast<size_t>(epoch)];
    const auto from = resumed->epoch(request(epoch));
    ASSERT_EQ(from->batches(), expected.batches());
    for (int64_t batch = random.between(0, expected.batches() - 1); batch < expected.batches();
         ++batch) {
      ASSERT_EQ(from->rows(batch), expected.rows(batch));
      for (int64_t row = expected.rows(batch) - 1; row >= 0; --row)
        ASSERT_EQ(from->sample(batch, row), expected.sample(batch, row)) << epoch << " " << batch;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryOrder, testing::ValuesIn(all_cases<Order, OptionsCase>()),
                         kCaseName);

}  // namespace
}  // namespace hearth
