// Numbers and schedules that another schedule is made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth {

class ScheduledList {
 public:
  explicit ScheduledList(const std::vector<Scheduled>& all) : values_(all.begin(), all.end()) {}
  [[nodiscard]] size_t size() const { return values_.size(); }
  [[nodiscard]] const ScheduledValue& operator[](size_t index) const { return values_[index]; }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }

  // From the least to the greatest value of any of them.
  [[nodiscard]] std::pair<double, double> range() const;
  // Where any of them changes.
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const;
  // What is never seen of any of them, each with its place: "of[1]: ...".
  [[nodiscard]] std::vector<std::string> unreached(const std::string& option,
                                                   const TrainingLength& length) const;

 private:
  std::vector<ScheduledValue> values_;
};

// Step 0 and those of the steps that lie within the training, in order, each once.
[[nodiscard]] std::vector<int64_t> steps_within(std::vector<int64_t> steps,
                                                const TrainingLength& length);

}  // namespace hearth
