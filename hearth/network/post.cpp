// What a way of exchanging gradients sends with.
#include "hearth/network/post.h"

#include <numeric>

namespace hearth {

std::vector<int64_t> Post::pieces(int64_t values) const {
  std::vector<int64_t> pieces;
  for (int64_t rank = 0; rank < ranks(); ++rank)
    pieces.push_back(values * (rank + 1) / ranks() - values * rank / ranks());
  return pieces;
}

at::Tensor Post::own_piece(const at::Tensor& row) const {
  const std::vector<int64_t> all = pieces(row.numel());
  const int rank = group_->rank();
  return row.narrow(0, std::accumulate(all.begin(), all.begin() + rank, int64_t{0}),
                    all[static_cast<size_t>(rank)]);
}

Turn Post::next() { return turns_.at(used_++); }

Pending Post::to_each(const at::Tensor& row) { return to_owners(row, pieces(row.numel())); }

Pending Post::to_owners(const at::Tensor& row, const std::vector<int64_t>& sizes) {
  return group_->all_to_all(what_, row, sizes, next());
}

Pending Post::complete(const at::Tensor& row) {
  return group_->all_gather_in_place("summed " + what_, row, pieces(row.numel()), next());
}

Pending Post::to_all(const at::Tensor& own) {
  const std::vector<int64_t> sizes(static_cast<size_t>(ranks()), own.numel());
  return group_->all_gather_into(what_, own, sizes, next());
}

at::Tensor Post::sum(const at::Tensor& rows) const {
  return tree_->sum_of_ranks(
      [&](int64_t rank) { return rows.select(0, rank); },
      [](at::Tensor left, const at::Tensor& right) { return left.add_(right); });
}

}  // namespace hearth
