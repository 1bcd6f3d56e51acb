// Orders: pure functions of epoch, batch and row, and the loader that follows them.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/orders/in_order.h"
#include "hearth/data/orders/shuffled.h"
#include "hearth/data/orders/weighted.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::hash_of;
using testing_data::hashes_of;

std::shared_ptr<Order> made(const Choice<Order>& choice) { return registry<Order>().make(choice); }

std::vector<int64_t> samples_of(const EpochOrder& order) {
  std::vector<int64_t> samples;
  for (int64_t batch = 0; batch < order.batches(); ++batch)
    for (int64_t row = 0; row < order.rows(batch); ++row)
      samples.push_back(order.sample(batch, row));
  return samples;
}

TEST(InOrder, CutsTheSourceIntoBatches) {
  const auto epoch = made(orders::in_order())->epoch({.samples = 10, .batch_size = 4, .epoch = 3});
  EXPECT_EQ(epoch->batches(), 3);
  EXPECT_EQ(epoch->rows(2), 2);
  EXPECT_EQ(samples_of(*epoch), (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const auto full = made(orders::in_order())
                        ->epoch({.samples = 10, .batch_size = 4, .drop_last = true, .epoch = 3});
  EXPECT_EQ(full->batches(), 2);
}

TEST(Shuffled, GivesEverySampleOnceAndEveryEpochAnotherOrder) {
  const auto order = made(orders::shuffled());
  auto first = samples_of(*order->epoch({.samples = 100, .batch_size = 7, .epoch = 0}));
  const auto second = samples_of(*order->epoch({.samples = 100, .batch_size = 7, .epoch = 1}));
  EXPECT_NE(first, second);
  std::sort(first.begin(), first.end());
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(first[static_cast<size_t>(i)], i);
}

// Nine of ten samples are of class 0, one is of class 1, none of class 2.
class Uneven : public CountingSource {
 public:
  using CountingSource::CountingSource;
  std::vector<KeySpec> keys() const override {
    return {{"x", {.shape = {4}}},
            {"label", {.dtype = DType::kInt64, .classes = 3, .role = Role::kClass}}};
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[1].is_wanted()) cells[1].set(int64_t{index % 10 == 0});
  }
};

std::map<bool, int64_t> drawn_of(const orders::WeightedOptions& options) {
  const auto order = made(orders::weighted(options));
  order->open(Uneven(1000));
  std::map<bool, int64_t> drawn;
  for (const int64_t sample :
       samples_of(*order->epoch({.samples = 1000, .batch_size = 32, .seed = 1})))
    ++drawn[sample % 10 == 0];
  return drawn;
}

TEST(Weighted, DrawsClassesByTheirWeights) {
  const auto even = drawn_of({});
  EXPECT_EQ(even.at(true) + even.at(false), 1000);
  EXPECT_NEAR(static_cast<double>(even.at(true)), 500, 60);
  EXPECT_NEAR(static_cast<double>(drawn_of({.weights = {3, 1, 0}}).at(true)), 250, 60);
  EXPECT_EQ(drawn_of({.weights = {0, 1, 0}}).count(false), 0U);
  EXPECT_EQ(drawn_of({.weights = {1, 0, 0}, .size = 70}).at(false), 70);
}

TEST(Weighted, SaysWhatDoesNotFit) {
  const Uneven source(10);
  const auto fault = [&](const orders::WeightedOptions& options) {
    return message_of<DataError>([&] { made(orders::weighted(options))->open(source); });
  };
  EXPECT_EQ(fault({.key = "lable"}),
            "order weighted: the source has no key 'lable'. Did you mean 'label'?");
  EXPECT_EQ(fault({.key = "x"}),
            "order weighted: key 'x' must hold one class number, but is float32 [B, 4].");
  EXPECT_EQ(fault({.weights = {1, 2}}),
            "order weighted: weights holds 2 numbers, but there are 3 classes. Give one for each "
            "class.");
  EXPECT_EQ(fault({.weights = {0, 0, 1}}),
            "order weighted: no sample has a class whose weight is above 0.");
}

LoaderOptions changing_options(int workers) {
  LoaderOptions options{.name = "train", .batch_size = 9, .workers = workers, .depth = 3};
  options.batch_size_of_epoch = [](int64_t epoch) { return epoch == 0 ? 4 : 9; };
  options.shuffle = true;
  options.epochs = 3;
  return options;
}

TEST(Loader, ChangesTheBatchSizeFromEpochToEpoch) {
  const Chain chain(std::make_shared<CountingSource>(20), {}, {"x", "id"});
  Loader loader(20, changing_options(2), chain.every_epoch());
  std::vector<int64_t> rows;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    rows.push_back(batch.rows());
  EXPECT_EQ(rows, (std::vector<int64_t>{4, 4, 4, 4, 4, 9, 9, 2, 9, 9, 2}));
  EXPECT_EQ(loader.batches(0), 5);
  EXPECT_EQ(loader.batches(2), 3);
}

TEST(Loader, GoesOnAnywhereWhenTheBatchSizeChanges) {
  const Chain chain(std::make_shared<CountingSource>(20), {}, {"x", "id"});
  Loader plain(20, changing_options(0), chain.every_epoch());
  const auto expected = hashes_of(plain);
  ASSERT_EQ(expected.size(), 11U);
  for (size_t done = 0; done < expected.size(); ++done) {
    Loader first(20, changing_options(static_cast<int>(done % 3)), chain.every_epoch());
    for (size_t i = 0; i < done; ++i) (void)first.next();
    Loader second(20, changing_options(1), chain.every_epoch());
    second.restore(first.state());
    EXPECT_EQ(hash_of(second.next()), expected[done]) << done;
  }
}

}  // namespace
}  // namespace hearth
