// A sum of one number per batch, for metrics. Batches that are not on the CPU are added up where
// they are, and the sum comes to the host once it is wanted: no step waits for a device.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "hearth/core/spec.h"

namespace hearth {

template <class Number>  // double or int64_t
class BatchSum {
 public:
  // A tensor of one number, times `factor`. On every device as doubles or whole numbers.
  void add(const at::Tensor& number, Number factor = 1);
  void add(Number number) { *this = BatchSum(total() + number); }
  void add(const BatchSum& other) { *this = BatchSum(total() + other.total()); }
  [[nodiscard]] Number total() const;

  BatchSum() = default;
  explicit BatchSum(Number total) : host_(total) {}
  // To the last bit, also what JSON has no number for.
  [[nodiscard]] Json state() const;
  void restore(const Json& state);

 private:
  Number host_ = 0;
  at::Tensor device_;  // stands for the whole sum once it is defined
};

}  // namespace hearth
