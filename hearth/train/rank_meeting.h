// The processes that train together, between two batches: what they must agree on, so that all of
// them do the same.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "hearth/network/step_ledger.h"
#include "hearth/tensor/state.h"

namespace hearth {

class Group;

class RankMeeting {
 public:
  // Null, or a group of one: alone, where everything is as this process has it.
  explicit RankMeeting(std::shared_ptr<Group> group);
  [[nodiscard]] bool is_alone() const { return group_ == nullptr; }

  [[nodiscard]] bool is_first() const;

  // Interrupted on any of them, seconds by the first one's clock, and whether that one still writes
  // a checkpoint.
  [[nodiscard]] RankNews agree(const RankNews& own) const;
  // The most of what they have, and what the first one has, on all of them.
  [[nodiscard]] double most(std::string_view what, double own) const;
  [[nodiscard]] double first(std::string_view what, double own) const;
  // The first one's state, on all of them.
  [[nodiscard]] State broadcast(std::string_view what, const State& state) const;
  // DataError on all of them, with the rank and the tensor, where one is not the first one's.
  void check_equal(const State& state) const;

 private:
  [[nodiscard]] std::vector<double> gather(std::string_view what, double own) const;

  std::shared_ptr<Group> group_;
};

}  // namespace hearth
