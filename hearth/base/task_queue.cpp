#include "hearth/base/task_queue.h"

namespace hearth {

TaskQueue::~TaskQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_one();
  worker_.join();
}

void TaskQueue::add_one(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void TaskQueue::work() {
  for (std::unique_lock lock(mutex_);;) {
    wake_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::function<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before the next waits
    lock.lock();
  }
}

}  // namespace hearth
