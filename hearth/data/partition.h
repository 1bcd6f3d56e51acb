// Which of several parts each sample belongs to: disjoint, exhaustive, a function of the seed.
#pragma once

#include <cstdint>
#include <vector>

namespace hearth {

// Shares in any unit, as parts of 1.
[[nodiscard]] std::vector<double> shares_of_one(const std::vector<double>& shares);

// Where each part ends in a row of `samples`, rounded; the last one ends with it.
[[nodiscard]] std::vector<int64_t> part_ends(const std::vector<double>& shares, int64_t samples);

// The part of each sample, given the group it is in and how many groups there are. `shares` are
// parts of 1.
struct PartitionRequest {
  const std::vector<int64_t>& group_of;
  int64_t groups = 0;
  const std::vector<double>& shares;
  uint64_t seed = 0;
};
// Every part has its share of every group, to within one sample.
[[nodiscard]] std::vector<uint32_t> parts_of_each_group(const PartitionRequest& request);
// A group lies in one part; the parts have their shares to within the size of a group.
[[nodiscard]] std::vector<uint32_t> parts_of_whole_groups(const PartitionRequest& request);

}  // namespace hearth
