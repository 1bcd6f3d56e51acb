// Whether somebody set the clock.
#pragma once

#include <optional>

namespace hearth {

// Tells whether the clock of the day was set, or the machine slept: that it went on otherwise than
// the monotonic one.
class ClockWatch {
 public:
  // Seconds that it is ahead (behind if negative) of where it would be since the last call; 0 for
  // what an ordinary correction may be.
  [[nodiscard]] double jump();
  // The same for clocks that stand at `day` and `monotonic`.
  [[nodiscard]] double jump(double day, double monotonic);

 private:
  std::optional<double> ahead_;
};

}  // namespace hearth
