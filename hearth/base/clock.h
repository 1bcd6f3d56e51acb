// Time as people and logs see it.
#pragma once

#include <chrono>
#include <string>

namespace hearth {

// Seconds since construction (or since `restart`), monotonic.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const;
  void restart();

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

[[nodiscard]] double unix_seconds();
[[nodiscard]] std::string utc_timestamp();  // "2026-01-31T12:00:00Z"

}  // namespace hearth
