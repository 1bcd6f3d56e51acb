// Typed time: 3ep, 500st, 64000sm, 10min, 50%. And the moment a step happens at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class TimeUnit : uint8_t { kEpoch, kStep, kSample, kMinute, kPercent };

// Where an epoch begins in a training whose epochs differ, and what its batches are like.
struct EpochLine {
  int64_t first_step = 0;       // steps done before it
  int64_t first_sample = 0;     // samples seen before it
  int64_t waiting_batches = 0;  // done already for a step that ends in it
  int64_t batch_size = 1;
  int64_t batches_per_step = 1;
  // Steps done once so many batches of the epoch are.
  [[nodiscard]] int64_t step_after(int64_t batches) const;
};

// How long a training is; percentages and epochs become steps through it.
struct TrainingLength {
  int64_t steps_per_epoch = 0;
  int64_t total_steps = 0;
  int64_t batch_size = 0;  // samples of a step
  // Where steps do not end with epochs: how many batches an epoch and a step have. 0: they do.
  int64_t batches_per_epoch = 0;
  int64_t batches_per_step = 1;
  int64_t samples_per_epoch = 0;  // 0: all batches are full
  // When epochs differ: each of them, and the end of the last. Whoever made it keeps it.
  const std::vector<EpochLine>* epochs = nullptr;

  [[nodiscard]] int64_t first_step(int64_t epoch) const { return step_at(epoch, 0); }
  // Steps done when so many batches of an epoch are.
  [[nodiscard]] int64_t step_at(int64_t epoch, int64_t batches) const;
  // The first epoch that starts at this step or later.
  [[nodiscard]] int64_t first_epoch_from(int64_t step) const;
  // The epoch in which the step ends.
  [[nodiscard]] int64_t epoch_of(int64_t step) const;
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
