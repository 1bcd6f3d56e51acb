// Wakes the threads of another process that wait for something in memory which both share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace hearth {

// Lies in the shared memory, which begins as zeros. Ringing costs no system call while nobody
// sleeps.
class Bell {
 public:
  [[nodiscard]] uint32_t rings() const { return rings_.load(std::memory_order_acquire); }
  void ring();
  // Until it has rung since `seen`, awake for a moment, as it often rings at once, and then asleep.
  // False when it has not for so long.
  [[nodiscard]] bool await(uint32_t seen, std::chrono::milliseconds most);

 private:
  std::atomic<uint32_t> rings_ = 0;
  std::atomic<uint32_t> sleepers_ = 0;
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);

}  // namespace hearth
