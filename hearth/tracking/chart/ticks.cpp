// Marks of an axis.
#include "hearth/tracking/chart/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "hearth/base/text.h"
#include "hearth/tracking/chart/fixed_number.h"

namespace hearth {
namespace {

constexpr double kSlack = 1e-9;  // of a step: marks at the very ends count
constexpr int kMostTicks = 100;
constexpr double kLargest = 1e307;  // so that no range is beyond all numbers

double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (rough <= factor * power * (1 + kSlack)) return factor * power;
  return 10 * power;
}

double time_step(double rough) {
  constexpr std::array kSteps = {1,   2,    5,    10,   15,    30,    60,    120,   300,    600,
                                 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800};
  if (rough < 1) return round_step(rough);
  for (const int step : kSteps)
    if (rough <= step * (1 + kSlack)) return step;
  return 604800 * std::ceil(rough / 604800);
}

std::string short_text(double value, double step) {
  const double size = std::max(std::abs(value), step);
  if (value == 0) return "0";
  if (size >= 1e15 || step < 1e-5) {
    // The digits that tell one mark from the next, and no more.
    const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)) + kSlack));
    const double mantissa = value / std::pow(10.0, digits);
    const double fraction = step / std::pow(10.0, digits);
    const int places =
        std::clamp(static_cast<int>(std::ceil(-std::log10(fraction) - kSlack)), 0, 9);
    std::string text = fixed_number(mantissa, places);
    return text + "e" + std::to_string(digits);
  }
  constexpr std::array<std::pair<double, const char*>, 4> kLargeUnits = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [unit, letter] : kLargeUnits)
    if (std::abs(value) >= unit * 9.9999 && std::fmod(step, unit / 1000) < kSlack)
      return shortest_number(std::round(value / unit * 1e6) / 1e6) + letter;
  int places = 0;
  for (double left = step; places < 9 && std::abs(left - std::round(left)) > 1e-6; left *= 10)
    ++places;
  return fixed_number(value, places);
}

std::string time_text(double seconds, double step) {
  if (seconds == 0) return "0";
  if (step < 60 && seconds < 120) return short_text(seconds, step) + "s";
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  std::string text;
  if (whole >= 86400) text += std::to_string(whole / 86400) + "d";
  if (whole % 86400 >= 3600) text += std::to_string(whole % 86400 / 3600) + "h";
  if (whole % 3600 >= 60) text += std::to_string(whole % 3600 / 60) + "m";
  if (whole % 60 > 0) text += std::to_string(whole % 60) + "s";
  return text;
}

void add_even_ticks(Axis& axis, double step, bool grows) {
  if (grows) {
    axis.from = std::floor(axis.from / step + kSlack) * step;
    axis.to = std::ceil(axis.to / step - kSlack) * step;
  }
  const double first = std::ceil(axis.from / step - kSlack);
  for (int i = 0; i < kMostTicks; ++i) {
    const double value = first + i == 0 ? 0 : (first + i) * step;
    if (!(value <= axis.to + kSlack * step)) return;
    axis.ticks.push_back({value, axis.kind == AxisKind::kSeconds ? time_text(value, step)
                                                                 : short_text(value, step)});
  }
}

std::string power_text(double value) {
  return value >= 1e-3 && value < 1e4 ? shortest_number(value) : short_text(value, value * 1e-6);
}

// Powers of ten, with 2 and 5 between them where there is room.
void add_power_ticks(Axis& axis, int wanted) {
  const double low = std::log10(axis.from);
  const double high = std::log10(axis.to);
  const double every = std::max(1.0, std::ceil((high - low) / wanted));
  const bool has_room = (high - low) * 3 <= wanted + 1;
  for (double power = std::floor(low); power <= high + kSlack; power += every)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, power);
      if ((factor == 1 || has_room) && value >= axis.from * (1 - kSlack) &&
          value <= axis.to * (1 + kSlack)) {
        const int digits = static_cast<int>(power);
        axis.ticks.push_back({value, digits >= -3 && digits < 4
                                         ? power_text(value)
                                         : shortest_number(factor) + "e" + std::to_string(digits)});
      }
    }
  // Within a part of a decade: marks as on an even axis.
  if (axis.ticks.size() < 3) {
    axis.ticks.clear();
    add_even_ticks(axis, round_step((axis.to - axis.from) / wanted), false);
  }
}

}  // namespace

std::string fixed_number(double value, int places) {
  std::array<char, 400> text{};
  (void)std::snprintf(text.data(), text.size(), "%.*f", places, value);
  return text.data();
}

double Axis::share(double value) const {
  if (kind == AxisKind::kLogarithm) return std::log(value / from) / std::log(to / from);
  return (value - from) / (to - from);
}

Axis make_axis(AxisKind kind, double least, double most, int wanted, bool grows) {
  least = std::clamp(least, -kLargest, kLargest);
  most = std::clamp(most, -kLargest, kLargest);
  Axis axis{kind, least, most, {}};
  if (kind == AxisKind::kLogarithm) {
    if (!(most > least * (1 + 1e-6))) {
      axis.from = least / 2;
      axis.to = most * 2;
    }
    add_power_ticks(axis, wanted);
    return axis;
  }
  // Closer than doubles can tell apart is as good as one value.
  const double size = std::max(std::abs(least), std::abs(most));
  if (!(most - least > size * 1e-12)) {
    const double least_room = kind == AxisKind::kNumber ? 0 : 1;
    const double room = size > 0 ? std::max(size * 0.1, least_room) : 1;
    axis.from = kind == AxisKind::kNumber ? least - room : std::max(0.0, least - room);
    axis.to = most + room;
  }
  const double rough = (axis.to - axis.from) / std::max(wanted, 1);
  double step = kind == AxisKind::kSeconds ? time_step(rough) : round_step(rough);
  if (kind == AxisKind::kCount) step = std::max(1.0, std::round(step));
  add_even_ticks(axis, step, grows);
  return axis;
}

}  // namespace hearth
