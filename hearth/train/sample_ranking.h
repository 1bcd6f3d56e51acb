// The samples with the highest numbers of all that were seen. Batches are gathered on their device,
// which is waited for only when somebody asks.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/core/spec.h"

namespace hearth {

struct RankedSample {
  int64_t sample = 0;
  double number = 0;  // kNotFinite when it is no finite number: those come first
  int64_t label = -1;
  int64_t predicted = -1;
};
inline constexpr double kNotFinite = 1e308;  // which JSON can hold
// As which a number is ranked.
[[nodiscard]] inline double ranking_number(double number) {
  return std::isfinite(number) ? number : kNotFinite;
}

class SampleRanking {
 public:
  explicit SampleRanking(int64_t count) : count_(count) {}

  // A number for each row, and for each what it is and what it was taken for, or nothing.
  void add(std::span<const int64_t> samples, const at::Tensor& numbers, const at::Tensor& labels,
           const at::Tensor& predicted);
  // The highest first, of equal ones the one with the lower index; each sample once.
  [[nodiscard]] std::vector<RankedSample> ranked() const;
  // Waits for the device, and forgets all but the highest.
  void settle();
  void clear();

  [[nodiscard]] Json state() const;
  void restore(const Json& state);

 private:
  struct Batch {
    std::vector<int64_t> samples;
    at::Tensor columns;  // [rows, 3], doubles
  };
  int64_t count_;
  std::vector<RankedSample> best_;
  std::vector<Batch> batches_;
};

}  // namespace hearth
