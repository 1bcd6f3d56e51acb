// Sums over batches, for metrics. Batches that are not on the CPU are added up where they are, and
// the sum comes to the host once it is wanted: no step waits for a device.
#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "hearth/tensor/state.h"

namespace hearth {

// Of one number per batch.
template <class Number>  // double or int64_t
class BatchSum {
 public:
  // A tensor of one number, times `factor`. On every device as doubles or whole numbers.
  void add(const at::Tensor& number, Number factor = 1);
  void add(Number number) { *this = BatchSum(total() + number); }
  void add(const BatchSum& other) { *this = BatchSum(total() + other.total()); }
  // All that was added so far, times `factor`.
  void scale(Number factor);
  [[nodiscard]] Number total() const;

  BatchSum() = default;
  explicit BatchSum(Number total) : host_(total) {}
  // To the last bit, also what is infinite or not a number.
  void save(State& state, const std::string& name) const;
  void restore(const State& state, const std::string& name);

 private:
  Number host_ = 0;
  at::Tensor device_;  // stands for the whole sum once it is defined
};

// Of whole numbers in many places: how often each index came.
class BatchCounts {
 public:
  BatchCounts() = default;
  explicit BatchCounts(int64_t places) : places_(places) {}

  // Adds one at every index; int64, from 0 to below `places`.
  void count(const at::Tensor& indices);
  void add(const BatchCounts& other);
  [[nodiscard]] at::Tensor total() const;  // int64 [places], on the host
  // DataError when it counted other places.
  void save(State& state, const std::string& name) const;
  void restore(const State& state, const std::string& name);

 private:
  int64_t places_ = 0;
  at::Tensor counts_;  // where the batches are; undefined before the first
};

}  // namespace hearth
