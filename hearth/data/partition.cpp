// Which of several parts each sample belongs to.
#include "hearth/data/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hearth/core/random.h"
#include "hearth/data/class_members.h"

namespace hearth {

namespace {

// What was given to each part so far, and which of them is furthest behind its share.
class PartLags {
 public:
  explicit PartLags(const std::vector<double>& shares) : shares_(shares), given_(shares.size()) {}

  void expect(int64_t samples) { expected_ += static_cast<double>(samples); }
  void give(size_t part, int64_t samples) { given_[part] += static_cast<double>(samples); }
  [[nodiscard]] double lag(size_t part) const { return shares_[part] * expected_ - given_[part]; }
  [[nodiscard]] size_t furthest_behind() const {
    size_t found = 0;
    for (size_t part = 1; part < given_.size(); ++part)
      if (lag(part) > lag(found)) found = part;
    return found;
  }

 private:
  const std::vector<double>& shares_;
  std::vector<double> given_;
  double expected_ = 0;
};

// How many of a group's samples each part gets: its share rounded down, and one more for those that
// are furthest behind.
std::vector<int64_t> group_counts(int64_t samples, const std::vector<double>& shares,
                                  PartLags& lags) {
  std::vector<int64_t> counts(shares.size());
  int64_t left = samples;
  lags.expect(samples);
  for (size_t part = 0; part < shares.size(); ++part) {
    const auto whole = static_cast<int64_t>(shares[part] * static_cast<double>(samples));
    counts[part] = std::min(whole, left);
    left -= counts[part];
    lags.give(part, counts[part]);
  }
  std::vector<size_t> order(shares.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(-lags.lag(a), a) < std::pair(-lags.lag(b), b);
  });
  for (size_t i = 0; left > 0; ++i, --left) {
    ++counts[order[i % order.size()]];
    lags.give(order[i % order.size()], 1);
  }
  return counts;
}

}  // namespace

std::vector<double> shares_of_one(const std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<double> parts;
  for (const double share : shares) parts.push_back(share / sum);
  return parts;
}

std::vector<int64_t> part_ends(const std::vector<double>& shares, int64_t samples) {
  std::vector<int64_t> ends;
  double sum = 0;
  for (const double share : shares) {
    sum += share;
    const int64_t before = ends.empty() ? 0 : ends.back();
    ends.push_back(
        std::clamp(std::llround(sum * static_cast<double>(samples)), 0LL + before, 0LL + samples));
  }
  if (!ends.empty()) ends.back() = samples;
  return ends;
}

std::vector<uint32_t> parts_of_each_group(const PartitionRequest& request) {
  const auto members = group_members(request.group_of, request.groups);
  std::vector<uint32_t> part_of(request.group_of.size());
  PartLags lags(request.shares);
  // Groups come in another order for another seed: of single samples, others go to small parts.
  const Permutation order(members.size(), request.seed, 0);
  for (size_t i = 0; i < members.size(); ++i) {
    const size_t group = order.at(i);
    const Permutation within(members[group].size(), request.seed, group + 1);
    const auto counts =
        group_counts(static_cast<int64_t>(members[group].size()), request.shares, lags);
    size_t at = 0;
    for (size_t part = 0; part < counts.size(); ++part)
      for (int64_t taken = 0; taken < counts[part]; ++taken)
        part_of[static_cast<size_t>(members[group][within.at(at++)])] = static_cast<uint32_t>(part);
  }
  return part_of;
}

std::vector<uint32_t> parts_of_whole_groups(const PartitionRequest& request) {
  std::vector<int64_t> sizes(static_cast<size_t>(request.groups));
  for (const int64_t group : request.group_of) ++sizes[static_cast<size_t>(group)];
  std::vector<uint32_t> part_of_group(sizes.size());
  PartLags lags(request.shares);
  const Permutation order(sizes.size(), request.seed, 0);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t group = order.at(i);
    lags.expect(sizes[group]);
    const size_t part = lags.furthest_behind();
    lags.give(part, sizes[group]);
    part_of_group[group] = static_cast<uint32_t>(part);
  }
  std::vector<uint32_t> part_of;
  part_of.reserve(request.group_of.size());
  for (const int64_t group : request.group_of)
    part_of.push_back(part_of_group[static_cast<size_t>(group)]);
  return part_of;
}

}  // namespace hearth
