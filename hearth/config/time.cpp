// Times to text, from text, and to steps.
#include "hearth/config/time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr std::array<std::pair<std::string_view, TimeUnit>, 5> kTimeUnits = {{
    {"ep", TimeUnit::kEpoch},
    {"st", TimeUnit::kStep},
    {"sm", TimeUnit::kSample},
    {"min", TimeUnit::kMinute},
    {"%", TimeUnit::kPercent},
}};

// 100000, not 1e+05.
std::string count_text(double count) {
  constexpr double kMostDigits = 1e15;
  const bool is_plain = std::floor(count) == count && std::abs(count) < kMostDigits;
  return is_plain ? std::to_string(static_cast<int64_t>(count)) : shortest_number(count);
}

// Far beyond any training, and safe to turn into an integer.
constexpr double kMostSteps = 9e18;

std::optional<double> time_count(std::string_view text) {
  const bool is_plain = text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  if (text.empty() || !is_plain || text.front() == '-' || text.front() == '+') return std::nullopt;
  const std::optional<double> count = read_number(text);
  if (!count || !std::isfinite(*count)) return std::nullopt;
  return count;
}

// A part of an epoch is that part of its steps.
double epochs_as_steps(double epochs, const TrainingLength& length) {
  const double whole = std::min(std::floor(epochs), 1e9);
  const auto epoch = static_cast<int64_t>(whole);
  const auto first = static_cast<double>(length.first_step(epoch));
  const auto next = static_cast<double>(length.first_step(epoch + 1));
  return std::round(first + (epochs - whole) * (next - first));
}

double share_up(double value, int64_t size) {
  return std::ceil(value / static_cast<double>(std::max<int64_t>(size, 1)));
}

// Within an epoch, all batches but the last are full.
double samples_as_steps(double samples, const TrainingLength& length) {
  if (length.epochs != nullptr) {
    const auto& lines = *length.epochs;
    const auto after = std::upper_bound(lines.begin(), lines.end() - 1, samples,
                                        [](double value, const EpochLine& line) {
                                          return value < static_cast<double>(line.first_sample);
                                        });
    const EpochLine& line = *(after - 1);
    const double batches =
        share_up(samples - static_cast<double>(line.first_sample), line.batch_size) +
        static_cast<double>(line.waiting_batches);
    return static_cast<double>(line.first_step) + share_up(batches, line.batches_per_step);
  }
  if (length.samples_per_epoch == 0) return share_up(samples, length.batch_size);
  const double epochs = std::floor(samples / static_cast<double>(length.samples_per_epoch));
  const double rest = samples - epochs * static_cast<double>(length.samples_per_epoch);
  const double batches = epochs * static_cast<double>(length.batches_per_epoch) +
                         share_up(rest, length.batch_size / length.batches_per_step);
  return share_up(batches, length.batches_per_step);
}

double exact_steps(const Time& time, const TrainingLength& length) {
  switch (time.unit) {
    case TimeUnit::kEpoch:
      return epochs_as_steps(time.value, length);
    case TimeUnit::kStep:
      return std::round(time.value);
    case TimeUnit::kSample:
      return samples_as_steps(time.value, length);
    case TimeUnit::kPercent:
      return std::round(time.value / 100 * static_cast<double>(length.total_steps));
    case TimeUnit::kMinute:
      break;
  }
  throw ConfigError("the time " + quote(time.text()) +
                    " cannot be counted in steps here; use ep, st, sm or %.");
}

}  // namespace

// A number of batches that became too small for what waits already is full with the next.
int64_t EpochLine::step_after(int64_t batches) const {
  if (batches == 0) return first_step;
  if (waiting_batches >= batches_per_step) return first_step + 1 + (batches - 1) / batches_per_step;
  return first_step + (waiting_batches + batches) / batches_per_step;
}

// Beyond the last epoch that is known, epochs are as long as that one.
int64_t TrainingLength::step_at(int64_t epoch, int64_t batches) const {
  if (epochs != nullptr) {
    const auto known = static_cast<int64_t>(epochs->size()) - 1;
    if (epoch < known) return (*epochs)[static_cast<size_t>(epoch)].step_after(batches);
    const int64_t last =
        epochs->back().first_step - (*epochs)[static_cast<size_t>(known - 1)].first_step;
    return epochs->back().first_step + (epoch - known) * last +
           batches / epochs->back().batches_per_step;
  }
  if (batches_per_epoch == 0) return epoch * steps_per_epoch + batches / batches_per_step;
  return (epoch * batches_per_epoch + batches) / batches_per_step;
}

int64_t TrainingLength::first_epoch_from(int64_t step) const {
  if (epochs != nullptr && step <= epochs->back().first_step)
    return std::lower_bound(
               epochs->begin(), epochs->end(), step,
               [](const EpochLine& line, int64_t value) { return line.first_step < value; }) -
           epochs->begin();
  if (epochs == nullptr && batches_per_epoch > 0) {
    const auto batches = static_cast<double>(step) * static_cast<double>(batches_per_step);
    auto epoch = static_cast<int64_t>(batches / static_cast<double>(batches_per_epoch));
    while (epoch > 0 && first_step(epoch - 1) >= step) --epoch;
    while (first_step(epoch) < step) ++epoch;
    return epoch;
  }
  return (step + steps_per_epoch - 1) / std::max<int64_t>(steps_per_epoch, 1);
}

int64_t TrainingLength::epoch_of(int64_t step) const {
  return std::max<int64_t>(first_epoch_from(step + 1) - 1, 0);
}

std::string Time::text() const {
  for (const auto& [suffix, known] : kTimeUnits)
    if (known == unit) return count_text(value) + std::string(suffix);
  return "";
}

int64_t Time::steps(const TrainingLength& length) const {
  return static_cast<int64_t>(std::clamp(exact_steps(*this, length), 0.0, kMostSteps));
}

std::optional<Time> Time::from(std::string_view text) {
  if (text == "0") return Time{};
  for (const auto& [suffix, unit] : kTimeUnits) {
    if (!text.ends_with(suffix)) continue;
    const auto count = time_count(text.substr(0, text.size() - suffix.size()));
    if (count) return Time{*count, unit};
  }
  return std::nullopt;
}

}  // namespace hearth
