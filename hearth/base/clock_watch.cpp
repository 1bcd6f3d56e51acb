// Compares the two clocks of the system.
#include "hearth/base/clock_watch.h"

#include <chrono>
#include <cmath>

#include "hearth/base/clock.h"

namespace hearth {
namespace {

constexpr double kJump = 2;  // seconds
constexpr double kOneMoment = 0.1;

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double ClockWatch::jump() {
  const double before = monotonic_seconds();
  const double day = unix_seconds();
  // Held up between the two, it would compare different moments.
  return monotonic_seconds() - before > kOneMoment ? 0 : jump(day, before);
}

double ClockWatch::jump(double day, double monotonic) {
  const double ahead = day - monotonic;
  const double jump = ahead - ahead_.value_or(ahead);
  ahead_ = ahead;
  return std::abs(jump) < kJump ? 0 : jump;
}

}  // namespace hearth
