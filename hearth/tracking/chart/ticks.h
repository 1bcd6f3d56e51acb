// Where the marks of an axis stand, and what is written at them.
#pragma once

#include <string>
#include <vector>

namespace hearth {

enum class AxisKind : uint8_t { kNumber, kCount, kLogarithm, kSeconds };

struct Tick {
  double value = 0;
  std::string label;
};

struct Axis {
  AxisKind kind = AxisKind::kNumber;
  double from = 0;
  double to = 1;
  std::vector<Tick> ticks;
  // Where a value stands between `from`, 0, and `to`, 1.
  [[nodiscard]] double share(double value) const;
};

// About `wanted` marks at round values. A range without extent is widened; that of a logarithm must
// be above zero. `grows`: the ends move out to the next marks.
[[nodiscard]] Axis make_axis(AxisKind kind, double least, double most, int wanted, bool grows);

}  // namespace hearth
