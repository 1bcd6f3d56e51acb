// Which process moves which values of an optimizer's parameters.
#include "hearth/optim/parameter_shares.h"

#include <algorithm>
#include <numeric>

#include "hearth/kernels/update/multi_tensor.h"

namespace hearth {
namespace {

int64_t bytes_of(const SharedParameter& parameter) {
  return parameter.values * parameter.bytes_of_value;
}

std::vector<size_t> order_of_sharing(const std::vector<SharedParameter>& parameters) {
  std::vector<size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t left, size_t right) {
    const SharedParameter& a = parameters[left];
    const SharedParameter& b = parameters[right];
    if (a.can_be_cut != b.can_be_cut) return b.can_be_cut;
    return bytes_of(a) != bytes_of(b) ? bytes_of(a) > bytes_of(b) : a.name < b.name;
  });
  return order;
}

// What the processes have been given so far.
class Loads {
 public:
  Loads(int64_t all_bytes, int ranks)
      : bytes_(static_cast<size_t>(ranks)), goal_((all_bytes + ranks - 1) / ranks) {}

  [[nodiscard]] RangesOfRanks give(const SharedParameter& parameter) {
    const bool fits = bytes_[least()] + bytes_of(parameter) <= goal_;
    const bool is_one_piece = parameter.values <= kUpdateChunk || bytes_.size() == 1;
    return fits || is_one_piece || !parameter.can_be_cut ? give_whole(parameter)
                                                         : give_cut(parameter);
  }
  [[nodiscard]] int64_t largest() const { return *std::max_element(bytes_.begin(), bytes_.end()); }

 private:
  [[nodiscard]] size_t least() const {
    return static_cast<size_t>(std::min_element(bytes_.begin(), bytes_.end()) - bytes_.begin());
  }

  RangesOfRanks give_whole(const SharedParameter& parameter) {
    RangesOfRanks ranges(bytes_.size());
    const size_t rank = least();
    ranges[rank] = {0, parameter.values};
    bytes_[rank] += bytes_of(parameter);
    return ranges;
  }

  RangesOfRanks give_cut(const SharedParameter& parameter) {
    const std::vector<int64_t> chunks = chunks_for_each(parameter);
    RangesOfRanks ranges(bytes_.size());
    int64_t begin = 0;
    for (size_t rank = 0; rank < ranges.size(); ++rank) {
      if (chunks[rank] == 0) continue;
      const int64_t end = std::min(begin + chunks[rank] * kUpdateChunk, parameter.values);
      ranges[rank] = {begin, end};
      bytes_[rank] += (end - begin) * parameter.bytes_of_value;
      begin = end;
    }
    return ranges;
  }

  // Who has least is filled up first, so that there are few cuts.
  [[nodiscard]] std::vector<int64_t> chunks_for_each(const SharedParameter& parameter) const {
    const int64_t chunk_bytes = kUpdateChunk * parameter.bytes_of_value;
    int64_t left = (parameter.values + kUpdateChunk - 1) / kUpdateChunk;
    std::vector<int64_t> loads = bytes_;
    std::vector<int64_t> chunks(loads.size());
    while (left > 0) {
      const auto rank =
          static_cast<size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
      const int64_t room = (goal_ - loads[rank]) / std::max<int64_t>(chunk_bytes, 1);
      const int64_t taken = std::clamp<int64_t>(room, 1, left);
      chunks[rank] += taken;
      loads[rank] += taken * chunk_bytes;
      left -= taken;
    }
    return chunks;
  }

  std::vector<int64_t> bytes_;
  int64_t goal_;
};

int64_t all_bytes_of(const std::vector<SharedParameter>& parameters) {
  int64_t bytes = 0;
  for (const SharedParameter& parameter : parameters) bytes += bytes_of(parameter);
  return bytes;
}

}  // namespace

int ParameterShares::owner(size_t parameter, int64_t value) const {
  for (int rank = 0; rank < ranks(); ++rank)
    if (value >= of(parameter, rank).begin && value < of(parameter, rank).end) return rank;
  return 0;
}

std::vector<RangesOfRanks> share_out(const std::vector<SharedParameter>& parameters, int ranks) {
  std::vector<RangesOfRanks> all(parameters.size());
  Loads loads(all_bytes_of(parameters), ranks);
  for (const size_t index : order_of_sharing(parameters))
    all[index] = loads.give(parameters[index]);
  return all;
}

int64_t largest_share(const std::vector<SharedParameter>& parameters, int ranks) {
  Loads loads(all_bytes_of(parameters), ranks);
  for (const size_t index : order_of_sharing(parameters)) (void)loads.give(parameters[index]);
  return loads.largest();
}

}  // namespace hearth
