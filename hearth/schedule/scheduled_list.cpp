// What a list of schedules has in common.
#include "hearth/schedule/scheduled_list.h"

#include <algorithm>

namespace hearth {

std::pair<double, double> ScheduledList::range() const {
  std::pair<double, double> all = values_.front().range();
  for (const ScheduledValue& value : values_) {
    const auto [low, high] = value.range();
    all = {std::min(all.first, low), std::max(all.second, high)};
  }
  return all;
}

std::vector<int64_t> ScheduledList::changes(const TrainingLength& length) const {
  std::vector<int64_t> steps;
  for (const ScheduledValue& value : values_)
    for (const int64_t step : value.changes(length)) steps.push_back(step);
  return steps_within(std::move(steps), length);
}

std::vector<std::string> ScheduledList::unreached(const std::string& option,
                                                  const TrainingLength& length) const {
  std::vector<std::string> said;
  for (size_t i = 0; i < values_.size(); ++i)
    for (const std::string& sentence : values_[i].unreached(length))
      said.push_back(option + "[" + std::to_string(i) + "]: " + sentence);
  return said;
}

std::vector<int64_t> steps_within(std::vector<int64_t> steps, const TrainingLength& length) {
  std::erase_if(steps, [&](int64_t step) { return step >= length.total_steps; });
  steps.push_back(0);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace hearth
