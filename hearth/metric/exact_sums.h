// Sums of doubles without any rounding, so that they are the same in whatever order, batches and
// halves the numbers come. A sum is kept as whole numbers, each for 24 of the bits that doubles can
// have; added up where the batches are, it comes to the host once it is wanted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/tensor/state.h"

namespace hearth {

class ExactSums {
 public:
  // Adds rows, double [N, sums]; the first says how many sums there are.
  void add(const at::Tensor& rows);
  // The same for one row on the host.
  void add(std::span<const double> row);
  void add(const ExactSums& other);
  // Rounded once; empty before the first row. Not a number where one was added, or infinities of
  // both signs.
  [[nodiscard]] std::vector<long double> totals() const;
  void save(State& state, const std::string& name) const;
  // DataError when these are no sums.
  void restore(const State& state, const std::string& name);

 private:
  void make_room(int64_t sums, at::Device device);
  at::Tensor digits_;  // int64 [sums, digits]; undefined before the first row
};

}  // namespace hearth
