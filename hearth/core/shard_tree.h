// The shards of a batch: which of them a rank computes, and the order in which sums over all of
// them are made.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hearth {

// A sum over some shards is the sum over the first half plus the sum over the second, where the
// first half has one more if they do not come out even. Ranks are shared out down the same halves,
// so that each has one whole node of this tree: the order of all additions is the same for any
// number of ranks.
class ShardTree {
 public:
  struct Range {
    int64_t begin = 0;
    int64_t end = 0;
    [[nodiscard]] int64_t size() const { return end - begin; }
    [[nodiscard]] int64_t middle() const { return begin + (size() + 1) / 2; }
    [[nodiscard]] bool operator==(const Range&) const = default;
  };

  // ConfigError when there are more ranks than shards.
  explicit ShardTree(int64_t shards, int64_t ranks = 1);

  [[nodiscard]] int64_t shards() const { return shards_; }
  [[nodiscard]] int64_t ranks() const { return static_cast<int64_t>(of_ranks_.size()); }
  // Those that a rank computes, at least one.
  [[nodiscard]] const Range& of_rank(int64_t rank) const {
    return of_ranks_[static_cast<size_t>(rank)];
  }

  // The sum over a rank's shards: `leaf(shard)` gives a value, `add(left, right)` adds two, and
  // knows what to do with those of shards that have none.
  template <class Leaf, class Add>
  [[nodiscard]] static auto sum(const Range& shards, const Leaf& leaf, const Add& add)
      -> decltype(leaf(0)) {
    if (shards.size() == 1) return leaf(shards.begin);
    const Range left{shards.begin, shards.middle()};
    const Range right{shards.middle(), shards.end};
    auto first = sum(left, leaf, add);
    return add(std::move(first), sum(right, leaf, add));
  }
  // The sum over all shards from the sums over each rank's.
  template <class Leaf, class Add>
  [[nodiscard]] auto sum_of_ranks(const Leaf& leaf, const Add& add) const -> decltype(leaf(0)) {
    return sum(Range{0, ranks()}, leaf, add);
  }

 private:
  void share_out(const Range& shards, const Range& ranks);

  int64_t shards_;
  std::vector<Range> of_ranks_;
};

}  // namespace hearth
