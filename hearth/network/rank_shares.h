// What processes send each other that share out an optimizer's state: sums, and values that were
// moved.
#pragma once

#include "hearth/cluster/group.h"
#include "hearth/optim/optimizer.h"

namespace hearth {

class RankShares : public ShareExchange {
 public:
  explicit RankShares(Group& group) : group_(group) {}

  void complete(std::span<double> numbers, std::span<const int> owners) override;
  // In rounds, so that what is on its way takes little memory.
  void spread(const ParameterShares& shares, std::span<const Row> rows) override;

 private:
  Group& group_;
};

}  // namespace hearth
