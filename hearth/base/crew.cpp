// Threads that do pieces of work together, one piece after the other.
#include "hearth/base/crew.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace hearth {
namespace {

constexpr auto kAwake = std::chrono::microseconds(100);
constexpr uint32_t kCountBits = 8;
constexpr uint32_t kCountMask = (1U << kCountBits) - 1;

// What `word` holds when it is no longer `seen`.
uint32_t awaited(const std::atomic<uint32_t>& word, uint32_t seen) {
  const auto end = std::chrono::steady_clock::now() + kAwake;
  do {
    const uint32_t value = word.load(std::memory_order_acquire);
    if (value != seen) return value;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  word.wait(seen, std::memory_order_acquire);
  return word.load(std::memory_order_acquire);
}

}  // namespace

Crew::Crew(int size, std::function<void()> begin)
    : errors_(static_cast<size_t>(std::clamp(size, 1, static_cast<int>(kCountMask)))),
      begin_(std::move(begin)) {
  threads_ = std::make_unique<ThreadPool>(
      this->size() - 1, [this](int index, const std::stop_token&) { serve(index + 1); });
}

Crew::~Crew() {
  give(0);
  threads_.reset();
}

void Crew::give(uint32_t count) {
  const uint32_t piece = (order_.load(std::memory_order_relaxed) >> kCountBits) + 1;
  order_.store((piece << kCountBits) | count, std::memory_order_release);
  order_.notify_all();
}

void Crew::serve(int member) {
  if (begin_) begin_();
  uint32_t seen = 0;
  while (true) {
    seen = awaited(order_, seen);
    const auto count = static_cast<int>(seen & kCountMask);
    if (count == 0) return;
    if (member >= count) continue;
    attempt(member, *work_);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Crew::attempt(int member, const std::function<void(int)>& work) {
  try {
    work(member);
  } catch (...) {
    errors_[static_cast<size_t>(member)] = std::current_exception();
  }
}

void Crew::run(int count, const std::function<void(int)>& work) {
  const auto members = static_cast<uint32_t>(std::clamp(count, 1, size()));
  std::fill(errors_.begin(), errors_.end(), nullptr);
  work_ = &work;
  busy_.store(members - 1, std::memory_order_relaxed);
  if (members > 1) give(members);
  attempt(0, work);
  for (uint32_t left = busy_.load(std::memory_order_acquire); left != 0;)
    left = awaited(busy_, left);
  for (const std::exception_ptr& error : errors_)
    if (error) std::rethrow_exception(error);
}

}  // namespace hearth
