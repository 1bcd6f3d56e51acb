// Threads that do pieces of work together, one piece after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "hearth/base/thread_pool.h"

namespace hearth {

// Whoever calls `run` is the first member; the others are threads that stay. Between two pieces
// they are awake for a moment, as the next one often comes at once, and then asleep.
class Crew {
 public:
  // Up to 255 members. Every thread calls `begin` once, before its first work.
  explicit Crew(int size, std::function<void()> begin = {});
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  [[nodiscard]] int size() const { return static_cast<int>(errors_.size()); }

  // Calls work(0) here and work(1) to work(count - 1) in the other threads. Waits for all of them,
  // then throws what the first one that failed threw. One at a time, never from inside a work.
  void run(int count, const std::function<void(int)>& work);

 private:
  void serve(int member);
  void attempt(int member, const std::function<void(int)>& work);
  void give(uint32_t count);

  std::vector<std::exception_ptr> errors_;  // of every member
  const std::function<void(int)>* work_ = nullptr;
  // The number of the piece and how many take part in it: one word, so that members who do not
  // take part read nothing else. None take part in the last one.
  std::atomic<uint32_t> order_ = 0;
  std::atomic<uint32_t> busy_ = 0;
  std::function<void()> begin_;
  std::unique_ptr<ThreadPool> threads_;
};

}  // namespace hearth
