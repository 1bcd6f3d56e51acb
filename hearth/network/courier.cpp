// A thread that does one thing after the other.
#include "hearth/network/courier.h"

#include <c10/core/GradMode.h>

#include <utility>

#include "hearth/kernels/threads/one_compute_thread.h"

namespace hearth {

Courier::~Courier() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Courier::add(std::function<void()> job) {
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_all();
}

void Courier::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty(); });
  if (const std::exception_ptr error = std::exchange(error_, nullptr))
    std::rethrow_exception(error);
}

// Its sums are a rank's one compute thread's, as all that a shard does.
void Courier::run() {
  compute_with_one_thread();
  const c10::AutoGradMode no_gradients(false);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stops_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    if (!error_) {
      const std::function<void()>& job = jobs_.front();
      lock.unlock();
      std::exception_ptr error;
      try {
        job();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      error_ = error;
    }
    jobs_.pop_front();
    if (jobs_.empty()) changed_.notify_all();
  }
}

}  // namespace hearth
