// Typed time: 3ep, 500st, 64000sm, 10min, 50%. And the moment a step happens at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class TimeUnit : uint8_t { kEpoch, kStep, kSample, kMinute, kPercent };

// How long a training is; percentages and epochs become steps through it.
struct TrainingLength {
  int64_t steps_per_epoch = 0;
  int64_t total_steps = 0;
  int64_t batch_size = 0;
  // When epochs differ: the first step of each, and the end of the last. Whoever made it keeps it.
  const std::vector<int64_t>* epoch_starts = nullptr;

  [[nodiscard]] int64_t first_step(int64_t epoch) const;
  // The first epoch that starts at this step or later.
  [[nodiscard]] int64_t first_epoch_from(int64_t step) const;
};

// A point or a stretch of training.
struct Time {
  double value = 0;
  TimeUnit unit = TimeUnit::kStep;

  [[nodiscard]] bool operator==(const Time&) const = default;
  [[nodiscard]] std::string text() const;  // "3ep"
  // Steps from the start; ConfigError for minutes, which are not a function of the step.
  [[nodiscard]] int64_t steps(const TrainingLength& length) const;
  // Nothing for a text that is not a time. A bare whole number is not a time, except 0.
  [[nodiscard]] static std::optional<Time> from(std::string_view text);
};

[[nodiscard]] constexpr Time epochs(double count) { return {count, TimeUnit::kEpoch}; }
[[nodiscard]] constexpr Time steps(double count) { return {count, TimeUnit::kStep}; }
[[nodiscard]] constexpr Time samples(double count) { return {count, TimeUnit::kSample}; }
[[nodiscard]] constexpr Time minutes(double count) { return {count, TimeUnit::kMinute}; }
[[nodiscard]] constexpr Time percent(double value) { return {value, TimeUnit::kPercent}; }

// When a step happens: optimizer steps done so far, and the epoch it is in (from 0).
struct Moment {
  int64_t step = 0;
  int64_t epoch = 0;
  TrainingLength length;
};

}  // namespace hearth
