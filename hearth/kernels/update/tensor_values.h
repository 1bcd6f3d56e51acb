// What formulas of updates compute with, in LibTorch's operators. lane_values_avx2.h is its twin.
#pragma once

#include <ATen/core/Tensor.h>

#include "hearth/kernels/update/update_rule.h"

namespace hearth {

struct TensorValues {
  at::Tensor tensor;
  // The parameter itself. What is subtracted from it, which every formula does last, is subtracted
  // where it lies. So is what is given away changed where it lies; all else makes new values.
  bool is_parameter = false;
};

[[nodiscard]] TensorValues scaled(const TensorValues& values, double by);
[[nodiscard]] TensorValues plus(const TensorValues& values, double number);
[[nodiscard]] TensorValues minus(const TensorValues& left, const TensorValues& right);
[[nodiscard]] TensorValues product(const TensorValues& left, const TensorValues& right);
[[nodiscard]] TensorValues quotient(const TensorValues& left, const TensorValues& right);
[[nodiscard]] TensorValues root(const TensorValues& values);
[[nodiscard]] TensorValues absolute(const TensorValues& values);
// -1, 0 or 1; not a number for what is none.
[[nodiscard]] TensorValues sign_of(const TensorValues& values);
// Not a number where one of them is none.
[[nodiscard]] TensorValues greater(const TensorValues& left, const TensorValues& right);
[[nodiscard]] TensorValues at_least_zero(const TensorValues& values);
// left + by * right
[[nodiscard]] TensorValues plus_scaled(const TensorValues& left, double by,
                                       const TensorValues& right);
// left - by * right
[[nodiscard]] TensorValues minus_scaled(const TensorValues& left, double by,
                                        const TensorValues& right);
// left - by * above / below
[[nodiscard]] TensorValues minus_quotient(const TensorValues& left, double by,
                                          const TensorValues& above, const TensorValues& below);
// keep * left + take * right
[[nodiscard]] TensorValues mixed(const TensorValues& left, double keep, const TensorValues& right,
                                 double take);
[[nodiscard]] TensorValues mixed(TensorValues&& left, double keep, const TensorValues& right,
                                 double take);
// keep * left + (take * right) * right: the square alone would be infinite beyond 1e19.
[[nodiscard]] TensorValues mixed_square(const TensorValues& left, double keep,
                                        const TensorValues& right, double take);
[[nodiscard]] TensorValues mixed_square(TensorValues&& left, double keep, const TensorValues& right,
                                        double take);
// left + right^2 and left - right^2
[[nodiscard]] TensorValues plus_square(const TensorValues& left, const TensorValues& right);
[[nodiscard]] TensorValues plus_square(TensorValues&& left, const TensorValues& right);
[[nodiscard]] TensorValues minus_square(const TensorValues& left, const TensorValues& right);
// values * factor + offset
[[nodiscard]] TensorValues line(const TensorValues& values, double factor, double offset);
// gradient + decay * parameter, of which an infinite one is no part without decay.
[[nodiscard]] TensorValues with_decay(const TensorValues& gradient, double decay,
                                      const TensorValues& parameter);

template <class Formula>
void move_tensor(const at::Tensor& parameter, const at::Tensor& gradient,
                 std::span<at::Tensor> slots, std::span<const double> given) {
  typename Formula::template Numbers<double> numbers;
  std::memcpy(&numbers, given.data(), sizeof(numbers));
  std::array<TensorValues, Formula::kSlots> values;
  for (size_t k = 0; k < Formula::kSlots; ++k) values[k] = {slots[k]};
  const TensorValues moved = Formula::moved(TensorValues{parameter.detach(), true},
                                            TensorValues{gradient}, values, numbers);
  if (!moved.is_parameter) parameter.copy_(moved.tensor);
  for (size_t k = 0; k < Formula::kSlots; ++k) slots[k] = values[k].tensor;
}

}  // namespace hearth
