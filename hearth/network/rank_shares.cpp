// What processes send each other that share out an optimizer's state.
#include "hearth/network/rank_shares.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <map>
#include <optional>

namespace hearth {
namespace {

constexpr int64_t kRoundBytes = int64_t{1} << 20;  // of each rank

// The values of one rank, one parameter's after the other's, as if they were one row.
class SharedValues {
 public:
  void add(const at::Tensor& piece) {
    if (piece.numel() == 0) return;
    pieces_.push_back(piece);
    left_ += piece.numel();
  }
  [[nodiscard]] int64_t left() const { return left_; }
  // The next values of the pieces, in as many tensors as they lie in.
  [[nodiscard]] std::vector<at::Tensor> take(int64_t count) {
    std::vector<at::Tensor> taken;
    left_ -= count;
    while (count > 0) {
      const int64_t here = std::min(count, pieces_[piece_].numel() - begin_);
      taken.push_back(pieces_[piece_].narrow(0, begin_, here));
      begin_ += here;
      count -= here;
      if (begin_ < pieces_[piece_].numel()) continue;
      ++piece_;
      begin_ = 0;
    }
    return taken;
  }

 private:
  std::vector<at::Tensor> pieces_;
  size_t piece_ = 0;
  int64_t begin_ = 0;
  int64_t left_ = 0;
};

void copy_into_row(const std::vector<at::Tensor>& from, at::Tensor row) {
  int64_t begin = 0;
  for (const at::Tensor& piece : from) {
    row.narrow(0, begin, piece.numel()).copy_(piece);
    begin += piece.numel();
  }
}

void copy_out_of_row(const at::Tensor& row, const std::vector<at::Tensor>& to) {
  int64_t begin = 0;
  for (const at::Tensor& piece : to) {
    piece.copy_(row.narrow(0, begin, piece.numel()));
    begin += piece.numel();
  }
}

// Some values of every rank, on their way.
class Round {
 public:
  Round(Group& group, std::vector<SharedValues>& values, const at::TensorOptions& options,
        int64_t most)
      : rank_(static_cast<size_t>(group.rank())) {
    int64_t all = 0;
    for (SharedValues& of_rank : values) {
      sizes_.push_back(std::min(of_rank.left(), most));
      pieces_.push_back(of_rank.take(sizes_.back()));
      all += sizes_.back();
    }
    row_ = at::empty({all}, options);
    copy_into_row(pieces_[rank_], part(rank_));
    pending_ = group.all_gather_in_place("updated parameters", row_, sizes_);
  }
  void finish() {
    (void)pending_.wait();
    for (size_t rank = 0; rank < pieces_.size(); ++rank)
      if (rank != rank_) copy_out_of_row(part(rank), pieces_[rank]);
  }

 private:
  [[nodiscard]] at::Tensor part(size_t rank) const {
    int64_t begin = 0;
    for (size_t before = 0; before < rank; ++before) begin += sizes_[before];
    return row_.narrow(0, begin, sizes_[rank]);
  }

  size_t rank_;
  std::vector<int64_t> sizes_;
  std::vector<std::vector<at::Tensor>> pieces_;
  at::Tensor row_;
  Pending pending_;
};

// One round is on its way while the next is made up.
void spread_alike(Group& group, std::vector<SharedValues> values,
                  const at::TensorOptions& options) {
  const int64_t most = kRoundBytes / static_cast<int64_t>(options.dtype().itemsize());
  const auto has_more = [&] {
    return std::any_of(values.begin(), values.end(),
                       [](const SharedValues& of_rank) { return of_rank.left() > 0; });
  };
  std::optional<Round> before;
  while (has_more()) {
    Round next(group, values, options, most);
    if (before) before->finish();
    before = std::move(next);
  }
  if (before) before->finish();
}

}  // namespace

void RankShares::complete(std::span<double> numbers, std::span<const int> owners) {
  std::vector<std::vector<size_t>> places(static_cast<size_t>(group_.size()));
  for (size_t i = 0; i < owners.size(); ++i) places[static_cast<size_t>(owners[i])].push_back(i);
  std::vector<int64_t> sizes;
  for (const std::vector<size_t>& of_rank : places)
    sizes.push_back(static_cast<int64_t>(of_rank.size()));
  const std::vector<size_t>& own_places = places[static_cast<size_t>(group_.rank())];
  const at::Tensor own = at::empty({static_cast<int64_t>(own_places.size())}, at::kDouble);
  for (size_t k = 0; k < own_places.size(); ++k) own.data_ptr<double>()[k] = numbers[own_places[k]];
  const at::Tensor all = group_.all_gather_into("sums over gradients", own, sizes).wait();
  const double* next = all.data_ptr<double>();
  for (const std::vector<size_t>& of_rank : places)
    for (const size_t place : of_rank) numbers[place] = *next++;
}

void RankShares::spread(const ParameterShares& shares, std::span<const Row> rows) {
  std::map<at::ScalarType, std::vector<SharedValues>> by_dtype;
  for (const Row& row : rows) {
    std::vector<SharedValues>& values = by_dtype[row.values.scalar_type()];
    values.resize(static_cast<size_t>(group_.size()));
    for (int rank = 0; rank < group_.size(); ++rank) {
      const ValueRange& range = shares.of(row.parameter, rank);
      values[static_cast<size_t>(rank)].add(row.values.narrow(0, range.begin, range.size()));
    }
  }
  for (auto& [dtype, values] : by_dtype)
    spread_alike(group_, std::move(values), at::TensorOptions().dtype(dtype));
}

}  // namespace hearth
