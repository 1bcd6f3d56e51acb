// Tests of the thread pool.
#include "hearth/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

namespace hearth {

TEST(ThreadPool, RunsTheWorkOnceForEveryIndex) {
  std::mutex mutex;
  std::multiset<int> seen;
  {
    ThreadPool pool(4, [&](int index, std::stop_token) {
      const std::lock_guard lock(mutex);
      seen.insert(index);
    });
    EXPECT_EQ(pool.size(), 4);
  }
  EXPECT_EQ(seen, (std::multiset<int>{0, 1, 2, 3}));
}

TEST(ThreadPool, WithoutThreadsDoesNothing) {
  std::atomic<int> calls = 0;
  {
    ThreadPool pool(0, [&](int, std::stop_token) { ++calls; });
  }
  EXPECT_EQ(calls, 0);
}

TEST(ThreadPool, DestructorWakesThreadsThatWaitAndJoinsThem) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::atomic<int> ended = 0;
  {
    ThreadPool pool(3, [&](int, std::stop_token stop) {
      std::unique_lock lock(mutex);
      never.wait(lock, stop, [] { return false; });
      ++ended;
    });
  }
  EXPECT_EQ(ended, 3);
}

TEST(ThreadPool, RequestStopReachesEveryThread) {
  std::atomic<int> ended = 0;
  ThreadPool pool(2, [&](int, std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    ++ended;
  });
  pool.request_stop();
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (ended < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  EXPECT_EQ(ended, 2);
}

}  // namespace hearth
