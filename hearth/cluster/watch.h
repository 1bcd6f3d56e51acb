// Looks after the ranks: each leaves a sign of life twice a second, rank 0 judges and tells all. A
// rank that was killed, is stopped or cannot be reached is named with what it was doing; one that
// is only slow is named and waited for.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hearth/base/clock_watch.h"
#include "hearth/cluster/join.h"
#include "hearth/launch/signs.h"

namespace hearth {

class KeyStore;

class Watch {
 public:
  // `store` is this object's alone: nobody else's waiting may hold up a sign of life.
  Watch(std::unique_ptr<KeyStore> store, const RankPlace& place, JoinOptions options,
        std::string who);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void doing(std::string_view what);
  void begin_operation(std::string_view what);
  void begin_waiting(std::string_view what);
  void end_waiting();

  // Called once, on the watch's thread, when a fault is found.
  void on_fault(std::function<void()> callback);
  [[nodiscard]] std::string fault() const;
  // Throws what the watch found. After an operation broke it waits for the watch to find who it
  // was, and failing that says `symptom`.
  void check() const;
  [[noreturn]] void blame(std::string_view what, std::string_view symptom);

  void fail(std::string_view message) noexcept;
  void leave();

 private:
  using Clock = std::chrono::steady_clock;
  struct Heard {
    Sign sign;
    Clock::time_point at;
  };

  void run();
  void beat();
  [[nodiscard]] Sign own_sign();
  void look_at_clock();
  void hear(int rank, const Sign& sign);
  void judge(const Sign& own);
  void read_board();
  [[nodiscard]] Board read_board_text();
  void look_at_own_wait();
  void find(const std::string& fault);
  void lose_store(const std::string& symptom);
  [[nodiscard]] std::vector<Seen> seen() const;
  void end(RankState state, std::string_view message);
  [[nodiscard]] bool others_know() const;

  const std::unique_ptr<KeyStore> store_;
  const int rank_;
  const int size_;
  const JoinOptions options_;
  const std::string store_text_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Sign sign_;
  std::string waits_for_;
  Clock::time_point waits_since_;
  int waiting_ = 0;        // threads that wait; what for is the last one's
  double said_after_ = 0;  // seconds of waiting when the slow were last named
  std::string fault_;
  std::function<void()> on_fault_;
  bool stops_ = false;
  bool is_over_ = false;

  std::vector<Heard> heard_;  // only rank 0's
  Board board_;
  Clock::time_point board_at_;
  ClockWatch clock_;  // only the watch's thread asks it
  std::thread thread_;
};

}  // namespace hearth
