#include "hearth/data/loader_fit.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::CountingSource;

// A batch of 64 takes 64 x (16 + 8) bytes; there are two more than are made ahead.
constexpr int64_t kBatchBytes = 1536;

LoaderOptions fitted(int64_t bytes, bool may_choose_workers = true) {
  const Chain chain(std::make_shared<CountingSource>(100), {}, {"x", "id"});
  LoaderOptions options{.name = "train", .batch_size = 64, .workers = 2, .depth = 8};
  options.most_workers = 4;
  return fit_loader(options, *chain.made(), {bytes, may_choose_workers});
}

TEST(LoaderFit, LeavesWhatFits) {
  const LoaderOptions options = fitted(10 * kBatchBytes);
  EXPECT_EQ(options.depth, 8);
  EXPECT_EQ(options.workers, 2);
  EXPECT_EQ(options.most_workers, 4);
  EXPECT_EQ(options.most_ragged_bytes, 0);
}

TEST(LoaderFit, PreparesFewerBatchesAheadWhereMemoryIsShort) {
  EXPECT_EQ(fitted(10 * kBatchBytes - 1).depth, 7);
  EXPECT_EQ(fitted(3 * kBatchBytes).depth, 1);
}

TEST(LoaderFit, SaysTheNumbersWhenNothingFits) {
  EXPECT_EQ(message_of<ConfigError>([] { (void)fitted(3 * kBatchBytes - 1); }),
            "leaves 4.5 KiB for batches of train, but 64 samples a batch, prepared one batch at a "
            "time with 0 workers, take 4.5 KiB. Raise it, or lower data.batch_size.");
  EXPECT_NE(message_of<ConfigError>([] { (void)fitted(100, false); }).find("or data.workers."),
            std::string::npos);
}

// As long as its number, in kilobytes.
class Long : public CountingSource {
 public:
  using CountingSource::CountingSource;
  std::vector<KeySpec> keys() const override {
    return {{"text", {.dtype = DType::kUint8, .shape = {kAnyLength}}}};
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    (void)cells[0].take({index * 1024});
  }
};

TEST(LoaderFit, BoundsValuesWhoseSizeDiffers) {
  const Chain chain(std::make_shared<Long>(64), {}, {"text"});
  LoaderOptions options{.name = "train", .batch_size = 16};
  Loader loader(64, fit_loader(options, *chain.made(), {1 << 18, true}), chain.every_epoch());
  EXPECT_EQ(loader.next().rows(), 16);
  EXPECT_NE(message_of<DataError>([&] { (void)loader.next(); }).find("but data.memory leaves"),
            std::string::npos);
  EXPECT_LE(loader.ragged_bytes(), 1 << 18);
}

}  // namespace
}  // namespace hearth
