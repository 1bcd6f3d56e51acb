// Which traces hear what while a plan runs: one list for each occasion.
#pragma once

#include <array>
#include <vector>

#include "hearth/train/occasion.h"

namespace hearth {

struct Listener {
  size_t trace = 0;         // its number among the experiment's
  Interest interest = {};   // which says how often
  std::vector<int> inputs;  // the plan's values that it reads
};

class Listeners {
 public:
  void add(Listener listener) {
    lists_[static_cast<size_t>(listener.interest.on)].push_back(std::move(listener));
  }
  [[nodiscard]] const std::vector<Listener>& of(Occasion occasion) const {
    return lists_[static_cast<size_t>(occasion)];
  }

 private:
  std::array<std::vector<Listener>, kOccasions> lists_;
};

}  // namespace hearth
