// Samples of several pieces in turns.
#include "hearth/data/orders/interleaved.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hearth/config/registry.h"
#include "hearth/data/source_list.h"
#include "hearth/data/sources/concat.h"
#include "hearth/data/sources/synthetic.h"

namespace hearth {
namespace {

using Samples = std::vector<int64_t>;

// An epoch over sources of these sizes, one after the other.
Samples interleaved_samples(const Samples& sizes, const orders::InterleavedOptions& options,
                            int64_t epoch = 0) {
  sources::ConcatOptions all;
  for (const int64_t size : sizes)
    all.of.push_back(sources::synthetic({.size = size, .shape = {1}}));
  const auto source = open_choice(sources::concat(all));
  const auto order = registry<Order>().make(orders::interleaved(options));
  order->open(*source);
  const int64_t samples = source->size();
  const auto made =
      order->epoch({.samples = samples, .batch_size = samples, .seed = 4, .epoch = epoch});
  Samples found;
  for (int64_t row = 0; row < samples; ++row) found.push_back(made->sample(0, row));
  return found;
}

TEST(Interleaved, GivesEverySampleOnceWhateverTheSizes) {
  const std::vector<Samples> cases = {{1}, {5, 5}, {7, 1, 1}, {1, 2, 3, 4, 50}, {9, 9, 9, 8}};
  for (const Samples& sizes : cases)
    for (const int64_t pieces : {1, 2, 3, 100})
      for (const int64_t block : {1, 3, 1000})
        for (const int64_t window : {1, 4, 1000}) {
          Samples found = interleaved_samples(sizes, {pieces, block, window}, 1);
          std::sort(found.begin(), found.end());
          for (size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i], static_cast<int64_t>(i)) << pieces << " " << block << " " << window;
        }
}

TEST(Interleaved, TakesBlocksInTurnsAndTheNextPieceWhereOneEnds) {
  // The seed's order of the pieces, told by what comes first.
  const Samples found = interleaved_samples({4, 4, 4}, {.shards = 2, .block = 2, .window = 1});
  const int64_t a = found[0], b = found[2];
  const int64_t c = 0 + 4 + 8 - a - b;
  EXPECT_EQ(found,
            (Samples{a, a + 1, b, b + 1, a + 2, a + 3, b + 2, b + 3, c, c + 1, c + 2, c + 3}));
}

TEST(Interleaved, ShufflesPiecesAnewEveryEpochAndSamplesWithinTheirWindow) {
  const Samples sizes(10, 20);
  EXPECT_NE(interleaved_samples(sizes, {4, 1, 1}, 0), interleaved_samples(sizes, {4, 1, 1}, 1));
  const Samples plain = interleaved_samples(sizes, {4, 1, 1});
  const Samples mixed = interleaved_samples(sizes, {4, 1, 50});
  EXPECT_NE(plain, mixed);
  for (size_t first = 0; first < plain.size(); first += 50)
    EXPECT_THAT(
        Samples(mixed.begin() + first, mixed.begin() + first + 50),
        testing::UnorderedElementsAreArray(plain.begin() + first, plain.begin() + first + 50));
}

TEST(Interleaved, ReadsAFileOfOneShardAsOne) {
  const Samples found = interleaved_samples({6}, {.shards = 3, .block = 1, .window = 1});
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

}  // namespace
}  // namespace hearth
