// What a way of exchanging gradients sends with: to all ranks, in the parcel's own turns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/cluster/group.h"
#include "hearth/core/shard_tree.h"

namespace hearth {

// Transfers that a parcel may start, one after the other.
inline constexpr size_t kTurnsOfParcel = 4;

class Post {
 public:
  // `what` is sent, for who waits too long for it: "gradients, bucket 2 of 3".
  Post(Group& group, const ShardTree& tree, std::vector<Turn> turns, std::string what)
      : group_(&group), tree_(&tree), turns_(std::move(turns)), what_(std::move(what)) {}

  [[nodiscard]] int64_t ranks() const { return group_->size(); }
  // How a row is cut into a piece for each rank, nearly equal ones; and ours of it.
  [[nodiscard]] std::vector<int64_t> pieces(int64_t values) const;
  [[nodiscard]] at::Tensor own_piece(const at::Tensor& row) const;

  // A piece of the row to each rank; gives everybody's for us, a row for each.
  [[nodiscard]] Pending to_each(const at::Tensor& row);
  // The same in pieces of these sizes.
  [[nodiscard]] Pending to_owners(const at::Tensor& row, const std::vector<int64_t>& sizes);
  // The row is complete when our piece of it has gone to all, and theirs is here.
  [[nodiscard]] Pending complete(const at::Tensor& row);
  // All of it to all: as many values on every rank. Gives everybody's, one after the other.
  [[nodiscard]] Pending to_all(const at::Tensor& own);

  // Of a row for each rank, in the order in which all sums over shards are made; in the memory of
  // `rows`.
  [[nodiscard]] at::Tensor sum(const at::Tensor& rows) const;

 private:
  [[nodiscard]] Turn next();

  Group* group_;
  const ShardTree* tree_;
  std::vector<Turn> turns_;
  std::string what_;
  size_t used_ = 0;
};

}  // namespace hearth
