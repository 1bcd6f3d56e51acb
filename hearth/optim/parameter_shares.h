// Which process moves which values of an optimizer's parameters, and remembers what the optimizer
// knows of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

struct ValueRange {
  int64_t begin = 0;
  int64_t end = 0;
  [[nodiscard]] int64_t size() const { return end - begin; }
  [[nodiscard]] bool operator==(const ValueRange&) const = default;
};

// Of one parameter: a range for each process, empty for most; they follow each other in the order
// of ranks.
using RangesOfRanks = std::vector<ValueRange>;

class ParameterShares {
 public:
  ParameterShares() = default;  // of a process that has everything
  ParameterShares(std::vector<RangesOfRanks> parameters, int rank)
      : parameters_(std::move(parameters)), rank_(rank) {}

  [[nodiscard]] bool are_shared() const { return !parameters_.empty(); }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const {
    return parameters_.empty() ? 1 : static_cast<int>(parameters_[0].size());
  }
  [[nodiscard]] const ValueRange& of(size_t parameter, int rank) const {
    return parameters_[parameter][static_cast<size_t>(rank)];
  }
  // With `are_shared`.
  [[nodiscard]] const ValueRange& own(size_t parameter) const { return of(parameter, rank_); }
  // Whether some of it is moved here, also where nothing is shared.
  [[nodiscard]] bool has(size_t parameter) const {
    return !are_shared() || own(parameter).size() > 0;
  }
  // Whose the value is.
  [[nodiscard]] int owner(size_t parameter, int64_t value) const;

 private:
  std::vector<RangesOfRanks> parameters_;
  int rank_ = 0;
};

struct SharedParameter {
  std::string name;
  int64_t values = 0;
  int64_t bytes_of_value = 0;  // of all that is remembered of one
  bool can_be_cut = false;
};

// The largest first, to whom has least; those that cannot be cut before the others. One that would
// give a process more than its share is cut where it can be, at multiples of kUpdateChunk values.
// Names and sizes alone decide.
[[nodiscard]] std::vector<RangesOfRanks> share_out(const std::vector<SharedParameter>& parameters,
                                                   int ranks);

// What the process that has most remembers then, in bytes.
[[nodiscard]] int64_t largest_share(const std::vector<SharedParameter>& parameters, int ranks);

}  // namespace hearth
