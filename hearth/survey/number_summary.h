// What can be said of many numbers in one pass: how many, how large, how they are spread.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

class NumberSummary {
 public:
  // Not a number counts as missing; what is infinite is counted, and left out of the rest.
  void add(double value);
  void add_counts(std::span<const int64_t> counts_of_bytes);  // 256 of them

  [[nodiscard]] int64_t count() const { return count_; }  // of finite ones
  [[nodiscard]] int64_t missing() const { return missing_; }
  [[nodiscard]] int64_t infinite() const { return infinite_; }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double deviation() const;  // of the numbers themselves, not an estimate
  // How many fall into each of `bins` equal parts between least and most, of those that were kept:
  // the first ones, and then ever fewer.
  [[nodiscard]] std::vector<int64_t> histogram(size_t bins) const;
  [[nodiscard]] double quantile(double share) const;  // of those that were kept
  [[nodiscard]] Json to_json() const;

 private:
  void add_many(double value, int64_t times);
  void keep(double value, int64_t times);

  int64_t count_ = 0;
  int64_t missing_ = 0;
  int64_t infinite_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
  double mean_ = 0;
  double squares_ = 0;  // of the differences from the mean
  // Every stride_-th number, with how many times it came; halved when it grows too long.
  struct Kept {
    double value = 0;
    int64_t times = 0;
  };
  std::vector<Kept> kept_;
  int64_t stride_ = 1;
  int64_t until_next_ = 0;
};

}  // namespace hearth
