// Batches that are filled up: real rows first, as they are without filling, and the rest repeats
// them.
#include <gtest/gtest.h>

#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/batch_ops/pad_longest.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::BatchOps;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::hash_of;
using testing_data::hashes_of;

LoaderOptions in_order(int workers, int64_t batch_size) {
  LoaderOptions options{.name = "train", .batch_size = batch_size, .workers = workers};
  options.seed = 3;
  return options;
}

std::vector<int64_t> numbers(const HostBatch& batch, int value) {
  std::vector<int64_t> found;
  for (int64_t row = 0; row < batch.rows(); ++row)
    found.push_back(batch.row(value, row).as<int64_t>()[0]);
  return found;
}

TEST(FillerRows, PadALastBatchWithItsOwnRows) {
  const Chain chain(std::make_shared<CountingSource>(10), {}, {"x", "id"});
  LoaderOptions options = in_order(2, 7);
  options.last_batch = LastBatch::kPad;
  Loader loader(10, options, chain.every_epoch());
  EXPECT_EQ(loader.next().real_rows(), 7);
  const HostBatch last = loader.next();
  EXPECT_EQ(last.rows(), 7);
  EXPECT_EQ(last.real_rows(), 3);
  EXPECT_EQ(last.samples().size(), 3U);
  EXPECT_EQ(numbers(last, chain.newest("id")), (std::vector<int64_t>{7, 8, 9, 7, 8, 9, 7}));
  EXPECT_TRUE(loader.next().is_empty());
}

TEST(FillerRows, StandForMaskedSamplesAndOthersMoveUp) {
  const Chain chain(std::make_shared<CountingSource>(8, std::set<int64_t>{0, 3}), {}, {"x", "id"});
  std::string expected;
  for (const int workers : {0, 1, 4}) {
    LoaderOptions options = in_order(workers, 8);
    options.on_error = OnError::kMask;
    Loader loader(8, options, chain.every_epoch());
    const HostBatch batch = loader.next();
    EXPECT_EQ(batch.rows(), 8);
    EXPECT_EQ(numbers(batch, chain.newest("id")), (std::vector<int64_t>{1, 2, 4, 5, 6, 7, 1, 2}));
    EXPECT_EQ(batch.row(chain.newest("x"), 2).as<float>()[1], 41);
    ASSERT_EQ(batch.replacements().size(), 2U);
    EXPECT_EQ(batch.replacements()[1].sample, 3);
    EXPECT_EQ(batch.replacements()[1].substitute, kNoSample);
    if (expected.empty()) expected = hash_of(batch);
    EXPECT_EQ(hash_of(batch), expected) << workers << " workers";
  }
}

TEST(FillerRows, AreNotEnoughForABatchWithoutASample) {
  const Chain chain(std::make_shared<CountingSource>(4, std::set<int64_t>{2, 3}), {}, {"id"});
  LoaderOptions options = in_order(2, 2);
  options.on_error = OnError::kMask;
  Loader loader(4, options, chain.every_epoch());
  EXPECT_EQ(loader.next().real_rows(), 2);
  EXPECT_EQ(message_of<DataError>([&] { (void)loader.next(); }),
            "not one sample of batch 1 of epoch 0 is left to learn from: data error at train[2] "
            "(counting[2]): source: the bytes are damaged.");
}

// As many tokens as its number.
class Growing : public CountingSource {
 public:
  using CountingSource::CountingSource;
  std::vector<KeySpec> keys() const override {
    return {{"tokens", {.dtype = DType::kInt64, .shape = {kAnyLength}, .role = Role::kTokens}}};
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    for (int64_t& token : cells[0].take({index}).as<int64_t>()) token = index;
    if (index == 1) throw std::runtime_error("the bytes are damaged.");
  }
};

TEST(FillerRows, RepeatWhatBatchOpsMadeOfTheRealRows) {
  const Chain chain(std::make_shared<Growing>(6), {}, {"tokens"}, {},
                    BatchOps{registry<BatchOp>().make(batch_ops::pad_longest({.fill = -1}))});
  LoaderOptions options = in_order(2, 4);
  options.last_batch = LastBatch::kPad;
  options.on_error = OnError::kMask;
  Loader loader(6, options, chain.every_epoch());
  const int tokens = chain.newest("tokens");
  const HostBatch first = loader.next();
  EXPECT_EQ(first.samples().size(), 3U);  // 0, 2, 3 and again 0
  EXPECT_EQ(first.row(tokens, 2).as<int64_t>()[2], 3);
  EXPECT_EQ(first.row(tokens, 3).as<int64_t>()[0], -1);
  const HostBatch last = loader.next();
  EXPECT_EQ(last.rows(), 4);
  EXPECT_EQ(last.shape(tokens)[0], 5);
  for (const int64_t row : {1, 3}) EXPECT_EQ(last.row(tokens, row).as<int64_t>()[4], 5);
}

}  // namespace
}  // namespace hearth
