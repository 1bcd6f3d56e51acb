// A bell in shared memory: a futex.
#include "hearth/cluster/bell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <thread>

namespace hearth {
namespace {

constexpr std::chrono::microseconds kStaysAwake{100};

void sleep_while(const std::atomic<uint32_t>& word, uint32_t seen, std::chrono::milliseconds most) {
  const timespec time{most.count() / 1000, most.count() % 1000 * 1'000'000};
  (void)::syscall(SYS_futex, &word, FUTEX_WAIT, seen, &time, nullptr, 0);
}

}  // namespace

// Who is about to sleep says so before the kernel compares: it sees this ring, or we see it.
void Bell::ring() {
  rings_.fetch_add(1);
  if (sleepers_.load() != 0)
    (void)::syscall(SYS_futex, &rings_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Bell::await(uint32_t seen, std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + kStaysAwake;
  do {
    if (rings() != seen) return true;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  sleepers_.fetch_add(1);
  sleep_while(rings_, seen, most);
  sleepers_.fetch_sub(1);
  return rings() != seen;
}

}  // namespace hearth
