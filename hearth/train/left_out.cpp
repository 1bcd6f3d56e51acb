// How much each process had part in steps that are made of what came first.
#include "hearth/train/left_out.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hearth/base/text.h"

namespace hearth {

void LeftOut::add(const GatheredStep& step, size_t ranks) {
  ++steps_;
  missed_.resize(ranks);
  for (size_t rank = 0; rank < ranks; ++rank)
    if (std::find(step.ranks.begin(), step.ranks.end(), static_cast<int64_t>(rank)) ==
        step.ranks.end())
      ++missed_[rank];
  late_ = step.late;
}

int64_t LeftOut::missed_by_all() const {
  return std::accumulate(missed_.begin(), missed_.end(), int64_t{0});
}

std::vector<int64_t> LeftOut::with_before(const std::vector<int64_t>& late) const {
  std::vector<int64_t> all(missed_.size());
  for (size_t rank = 0; rank < all.size(); ++rank)
    for (const std::vector<int64_t>* some : {&late_before_, &late})
      if (rank < some->size()) all[rank] += (*some)[rank];
  return all;
}

std::string LeftOut::text() const {
  const std::vector<int64_t> late = with_before(late_at_end_.empty() ? late_ : late_at_end_);
  const std::string steps = std::to_string(steps_);
  std::vector<std::string> ranks;
  for (size_t rank = 0; rank < missed_.size(); ++rank) {
    if (missed_[rank] == 0) continue;
    const int64_t dropped = std::min(late[rank], missed_[rank]);
    ranks.push_back("rank " + std::to_string(rank) + " had no part in " +
                    std::to_string(missed_[rank]) + " of " + steps +
                    " steps (too late and dropped: " + std::to_string(dropped) +
                    ", not computed: " + std::to_string(missed_[rank] - dropped) + ")");
  }
  return ranks.empty() ? "every process had part in all " + steps + " steps" : join(ranks, "; ");
}

Json LeftOut::state() const {
  return {{"steps", steps_}, {"no_part", missed_}, {"dropped", dropped()}};
}

Json LeftOut::summary() const {
  Json all = state();
  if (!late_at_end_.empty()) all["dropped"] = with_before(late_at_end_);
  return all;
}

void LeftOut::restore(const Json& state) {
  steps_ = state.value("steps", int64_t{0});
  missed_ = state.value("no_part", std::vector<int64_t>());
  late_before_ = state.value("dropped", std::vector<int64_t>());
  late_.clear();
  late_at_end_.clear();
}

}  // namespace hearth
