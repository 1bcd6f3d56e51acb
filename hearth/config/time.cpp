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
  if (length.epoch_starts == nullptr)
    return std::round(epochs * static_cast<double>(length.steps_per_epoch));
  const double whole = std::min(std::floor(epochs), 1e9);
  const auto epoch = static_cast<int64_t>(whole);
  const auto first = static_cast<double>(length.first_step(epoch));
  const auto next = static_cast<double>(length.first_step(epoch + 1));
  return std::round(first + (epochs - whole) * (next - first));
}

double exact_steps(const Time& time, const TrainingLength& length) {
  switch (time.unit) {
    case TimeUnit::kEpoch:
      return epochs_as_steps(time.value, length);
    case TimeUnit::kStep:
      return std::round(time.value);
    case TimeUnit::kSample:
      return std::ceil(time.value / static_cast<double>(std::max<int64_t>(length.batch_size, 1)));
    case TimeUnit::kPercent:
      return std::round(time.value / 100 * static_cast<double>(length.total_steps));
    case TimeUnit::kMinute:
      break;
  }
  throw ConfigError("the time " + quote(time.text()) +
                    " cannot be counted in steps here; use ep, st, sm or %.");
}

}  // namespace

// Beyond the last epoch that is known, epochs are as long as that one.
int64_t TrainingLength::first_step(int64_t epoch) const {
  if (epoch_starts == nullptr) return epoch * steps_per_epoch;
  const auto known = static_cast<int64_t>(epoch_starts->size()) - 1;
  if (epoch <= known) return (*epoch_starts)[static_cast<size_t>(epoch)];
  const int64_t last = epoch_starts->back() - (*epoch_starts)[static_cast<size_t>(known - 1)];
  return epoch_starts->back() + (epoch - known) * last;
}

int64_t TrainingLength::first_epoch_from(int64_t step) const {
  if (epoch_starts == nullptr || step > epoch_starts->back())
    return (step + steps_per_epoch - 1) / steps_per_epoch;
  return std::lower_bound(epoch_starts->begin(), epoch_starts->end(), step) - epoch_starts->begin();
}

std::string Time::text() const {
  for (const auto& [suffix, known] : kTimeUnits)
    if (known == unit) return shortest_number(value) + std::string(suffix);
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
