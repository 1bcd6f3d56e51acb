// Sums over batches, for metrics. Batches that are not on the CPU are added up where they are, and
// the sum comes to the host once it is wanted: no step waits for a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

// Of many places: how often each index came, in whole numbers; or with what weight, in doubles.
class BatchCounts {
 public:
  BatchCounts() = default;
  explicit BatchCounts(int64_t places, bool is_weighed = false)
      : places_(places), type_(is_weighed ? at::kDouble : at::kLong) {}

  // Adds one, or a weight, at every index; int64, from 0 to below `places`.
  void count(const at::Tensor& indices, const at::Tensor& weights = {});
  // All places on the host, to be counted at there; whole numbers only.
  [[nodiscard]] int64_t* places_on_host();
  void add(const BatchCounts& other);
  [[nodiscard]] std::vector<double> totals() const;
  void save(State& state, const std::string& name) const;
  // DataError when it counted other places.
  void restore(const State& state, const std::string& name);

 private:
  [[nodiscard]] at::Tensor on_host() const;
  int64_t places_ = 0;
  at::ScalarType type_ = at::kLong;
  at::Tensor counts_;  // where the batches are; undefined before the first
};

}  // namespace hearth
