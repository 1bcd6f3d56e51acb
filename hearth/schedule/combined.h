// A schedule whose value is made of those of others, all asked at the same moment.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/schedule/scheduled_list.h"

namespace hearth {

// Rule has `of(a, b)` for two values, and for two ranges. The options have `of`, the parts.
template <class OptionsType, class Rule>
class Combined : public Schedule {
 public:
  using Options = OptionsType;
  explicit Combined(const Options& options) : parts_(options.of) {}

  [[nodiscard]] double value(const Moment& moment) const override {
    double combined = parts_[0].at(moment);
    for (size_t i = 1; i < parts_.size(); ++i) combined = Rule::of(combined, parts_[i].at(moment));
    return combined;
  }
  [[nodiscard]] std::pair<double, double> range() const override {
    std::pair<double, double> combined = parts_[0].range();
    for (size_t i = 1; i < parts_.size(); ++i) combined = Rule::of(combined, parts_[i].range());
    return combined;
  }
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const override {
    return parts_.changes(length);
  }
  [[nodiscard]] std::vector<std::string> unreached(const TrainingLength& length) const override {
    return parts_.unreached("of", length);
  }

 private:
  ScheduledList parts_;
};

}  // namespace hearth
