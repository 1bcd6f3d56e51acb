// The threads that compute together: how many, and how they get along with other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <thread>

namespace hearth {

// As many as there are cores for this process, or as many as are asked for. How many there are
// decides the last bits of sums; how they wait, and on which cores they run, does not.
void use_threads(std::optional<int64_t> threads);

// How threads wait for each other. Spinning is fastest while every thread has a core. Where other
// programs run on it too, a thread that spins keeps the very one it waits for from running: there
// it sleeps. And where others leave the threads no more than half of the cores they could fill,
// they keep together on their share: on cores of its own each would wait for a different turn.
enum class Waiting { kSpin, kSleep, kTogether };

struct ThreadChoice {
  Waiting waiting = Waiting::kSpin;
  int cores = 0;  // to keep together on
  [[nodiscard]] bool operator==(const ThreadChoice&) const = default;
};

// By the cores' worth of time that others use. Between two bounds what was before stays, so that
// the answer does not change all the time.
[[nodiscard]] ThreadChoice better_choice(double cores_of_others, int cores, int threads,
                                         Waiting before);
// HEARTH_WAITING in the environment, spin, sleep or together: chosen by somebody, not by measuring.
[[nodiscard]] std::optional<ThreadChoice> asked_choice();
[[nodiscard]] std::string name(Waiting waiting);

// While it lives, OpenMP's threads sleep while they wait. `threads` is how many compute together.
class SleepingThreads {
 public:
  explicit SleepingThreads(int threads);
  ~SleepingThreads();
  SleepingThreads(const SleepingThreads&) = delete;
  SleepingThreads& operator=(const SleepingThreads&) = delete;

 private:
  std::jthread keeper_;
};

// While it lives, looks a few times a second at what other programs use of the cores, and lets the
// threads that compute for this one get along with them.
class ThreadWatch {
 public:
  ThreadWatch();
  ~ThreadWatch();
  ThreadWatch(const ThreadWatch&) = delete;
  ThreadWatch& operator=(const ThreadWatch&) = delete;

 private:
  std::jthread watcher_;
};

}  // namespace hearth
