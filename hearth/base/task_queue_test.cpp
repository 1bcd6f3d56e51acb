#include "hearth/base/task_queue.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

namespace hearth {
namespace {

TEST(TaskQueue, DoesAllInOrderWhileTheCallerGoesOn) {
  std::promise<void> gate;
  std::vector<int> done;  // by the one thread; read when it is gone
  {
    TaskQueue queue;
    std::vector<std::future<int>> results;
    results.push_back(queue.add([opened = gate.get_future().share()] {
      opened.wait();
      return -1;
    }));
    for (int i = 0; i < 100; ++i)
      results.push_back(queue.add([&done, i] {
        done.push_back(i);
        return i;
      }));
    EXPECT_EQ(results.back().wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    gate.set_value();
    EXPECT_EQ(results.back().get(), 99);
  }
  std::vector<int> all(100);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(done, all);
}

TEST(TaskQueue, DoesWhatIsLeftBeforeItEnds) {
  int done = 0;
  {
    TaskQueue queue;
    for (int i = 0; i < 20; ++i) (void)queue.add([&done] { ++done; });
  }
  EXPECT_EQ(done, 20);
}

TEST(TaskQueue, HandsOverWhatATaskThrowsAndGoesOn) {
  TaskQueue queue;
  std::future<int> failed = queue.add([]() -> int { throw std::runtime_error("no"); });
  std::future<int> next = queue.add([] { return 7; });
  EXPECT_THROW((void)failed.get(), std::runtime_error);
  EXPECT_EQ(next.get(), 7);
}

}  // namespace
}  // namespace hearth
