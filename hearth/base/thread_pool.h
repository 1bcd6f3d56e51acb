// A fixed number of threads that each run one function until they are told to stop.
#pragma once

#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

namespace hearth {

class ThreadPool {
 public:
  // Starts `count` threads; each calls `work(index, stop)` once and ends when it returns.
  ThreadPool(int count, std::function<void(int, std::stop_token)> work);
  // Asks all threads to stop and waits for them.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  void request_stop();
  [[nodiscard]] int size() const { return static_cast<int>(threads_.size()); }

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace hearth
