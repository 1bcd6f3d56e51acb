#include "hearth/data/orders/windowed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hearth/config/registry.h"

namespace hearth {
namespace {

std::vector<int64_t> windowed_samples(int64_t samples, const orders::WindowedOptions& options,
                                      int64_t epoch) {
  const auto order = registry<Order>().make(orders::windowed(options));
  const auto made =
      order->epoch({.samples = samples, .batch_size = samples, .seed = 4, .epoch = epoch});
  std::vector<int64_t> found;
  for (int64_t row = 0; row < samples; ++row) found.push_back(made->sample(0, row));
  return found;
}

TEST(Windowed, GivesEverySampleOnce) {
  for (const int64_t samples : {1, 2, 9, 10, 11, 99, 100, 101, 1000})
    for (const int64_t window : {1, 3, 10, 2000})
      for (const int64_t mixed : {1, 2, 5}) {
        auto found = windowed_samples(samples, {.window = window, .mixed = mixed}, 1);
        std::sort(found.begin(), found.end());
        for (int64_t i = 0; i < samples; ++i)
          ASSERT_EQ(found[static_cast<size_t>(i)], i) << samples << " " << window << " " << mixed;
      }
}

TEST(Windowed, ReadsFewWindowsAtATimeAndOthersEveryEpoch) {
  const auto first = windowed_samples(1000, {.window = 50, .mixed = 2}, 0);
  std::set<int64_t> windows;
  for (size_t i = 0; i < 100; ++i) windows.insert(first[i] / 50);
  EXPECT_EQ(windows.size(), 2U);
  EXPECT_FALSE(std::is_sorted(first.begin(), first.begin() + 100));
  EXPECT_NE(first, windowed_samples(1000, {.window = 50, .mixed = 2}, 1));
}

}  // namespace
}  // namespace hearth
