// One thread that does what it is given, in order.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace hearth {

class TaskQueue {
 public:
  TaskQueue() : worker_([this] { work(); }) {}
  // Does what is left first.
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Returns at once; the future has what the task gave or threw.
  template <class Task>
  [[nodiscard]] auto add(Task task) {
    using Result = decltype(task());
    // Shared, because a std::function must be copyable.
    auto packed = std::make_shared<std::packaged_task<Result()>>(std::move(task));
    std::future<Result> result = packed->get_future();
    add_one([packed = std::move(packed)] { (*packed)(); });
    return result;
  }

 private:
  void add_one(std::function<void()> task);
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  bool is_stopping_ = false;
  std::thread worker_;
};

}  // namespace hearth
