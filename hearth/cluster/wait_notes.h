// Says what is waited for: after a few seconds, and then ever more seldom.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace hearth {

class WaitNotes {
 public:
  using Say = std::function<void(const std::string&)>;
  explicit WaitNotes(Say say, std::chrono::milliseconds most = kFirst)
      : say_(std::move(say)), next_(std::min(kFirst, most)) {}

  [[nodiscard]] std::chrono::milliseconds waited() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  }
  [[nodiscard]] double seconds() const { return static_cast<double>(waited().count()) / 1000; }
  // Asked again and again while it lasts.
  void tell(const std::function<std::string()>& text) {
    if (waited() < next_) return;
    next_ = 2 * waited();
    if (say_) say_(text());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirst{3000};

  Say say_;
  Clock::time_point start_ = Clock::now();
  std::chrono::milliseconds next_;
};

}  // namespace hearth
