// Threads on fewer cores, and on all again afterwards, also those that were started meanwhile.
#include "hearth/base/fewer_cores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "hearth/base/cores.h"

namespace hearth {
namespace {

TEST(FewerCores, HoldThisThreadAndWhatItStartsUntilTheyEnd) {
  const std::vector<int> all = usable_cores();
  std::atomic<bool> is_over = false;
  std::atomic<size_t> during = 0;
  size_t after = 0;
  std::thread started;
  {
    const FewerCores one({thread_number()}, 1);
    EXPECT_EQ(usable_cores().size(), 1U);
    started = std::thread([&] {
      during = usable_cores().size();
      during.notify_one();
      is_over.wait(false);
      after = usable_cores().size();
    });
    during.wait(0);
  }
  is_over = true;
  is_over.notify_one();
  started.join();
  EXPECT_EQ(during, 1U);
  EXPECT_EQ(after, all.size());
  EXPECT_EQ(usable_cores(), all);
}

TEST(FewerCores, LeaveOtherThreadsAlone) {
  const size_t all = usable_cores().size();
  std::atomic<bool> is_held = false;
  size_t seen = 0;
  std::thread other([&] {
    is_held.wait(false);
    seen = usable_cores().size();
  });
  const FewerCores one({thread_number()}, 1);
  is_held = true;
  is_held.notify_one();
  other.join();
  EXPECT_EQ(seen, all);
}

TEST(FewerCores, OfMoreThanThereAreAreAllOfThem) {
  const std::vector<int> all = usable_cores();
  const FewerCores many({thread_number()}, 100'000);
  EXPECT_EQ(usable_cores(), all);
}

TEST(FewerCores, OfNobodyDoNothing) {
  const FewerCores none({}, 1);
  const FewerCores gone({-1}, 1);
  EXPECT_GE(usable_cores().size(), 1U);
}

}  // namespace
}  // namespace hearth
