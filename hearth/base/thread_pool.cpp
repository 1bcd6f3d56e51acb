// Threads that end together.
#include "hearth/base/thread_pool.h"

namespace hearth {

ThreadPool::ThreadPool(int count, std::function<void(int, std::stop_token)> work) {
  threads_.reserve(count > 0 ? static_cast<size_t>(count) : 0);
  for (int index = 0; index < count; ++index)
    threads_.emplace_back([work, index](std::stop_token stop) { work(index, std::move(stop)); });
}

// All are asked before any is waited for: otherwise stopping takes the sum of their delays.
ThreadPool::~ThreadPool() { request_stop(); }

void ThreadPool::request_stop() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

}  // namespace hearth
