// Gradients that travel between ranks together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace hearth {

// The gradients of some parameters in one row, as the parameters lie in memory. What is missing is
// -0, which changes no sum, not even one that is -0.
struct Parcel {
  struct Part {
    std::string name;  // <model>/<parameter>
    at::Tensor parameter;
    int64_t begin = 0;  // in the row
  };
  std::vector<Part> parts;
  at::Tensor row;
  at::Tensor sent = {};  // for who exchanges it: what is on its way in its place

  // A part of the row in the form of its parameter, in the same memory.
  [[nodiscard]] at::Tensor values(const Part& part) const;
  // The same as one row of values in the order that the parameter has unpacked; and back.
  [[nodiscard]] at::Tensor ordinary(const Part& part) const;
  void put(const Part& part, const at::Tensor& ordinary) const;
};

// Values as they lie in memory, in one row; such that ranks with equal parameters have them alike.
[[nodiscard]] at::Tensor as_row(const at::Tensor& tensor);

}  // namespace hearth
