// What formulas of updates compute with, in LibTorch's operators.
#include "hearth/kernels/update/tensor_values.h"

#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>

namespace hearth {

TensorValues scaled(const TensorValues& values, double by) {
  return by == 1 ? values : TensorValues{values.tensor.mul(by)};
}

TensorValues plus(const TensorValues& values, double number) { return {values.tensor.add(number)}; }

TensorValues minus(const TensorValues& left, const TensorValues& right) {
  return {left.tensor.sub(right.tensor)};
}

TensorValues product(const TensorValues& left, const TensorValues& right) {
  return {left.tensor.mul(right.tensor)};
}

TensorValues quotient(const TensorValues& left, const TensorValues& right) {
  return {left.tensor.div(right.tensor)};
}

TensorValues root(const TensorValues& values) { return {values.tensor.sqrt()}; }

TensorValues absolute(const TensorValues& values) {
  return {at::maximum(values.tensor, values.tensor.neg())};
}

TensorValues sign_of(const TensorValues& values) {
  return {at::where(values.tensor.ne(values.tensor), values.tensor, values.tensor.sign())};
}

TensorValues greater(const TensorValues& left, const TensorValues& right) {
  return {at::maximum(left.tensor, right.tensor)};
}

TensorValues at_least_zero(const TensorValues& values) { return {values.tensor.clamp_min(0)}; }

TensorValues plus_scaled(const TensorValues& left, double by, const TensorValues& right) {
  return {left.tensor.add(right.tensor, by)};
}

TensorValues minus_scaled(const TensorValues& left, double by, const TensorValues& right) {
  if (left.is_parameter) return {left.tensor.add_(right.tensor, -by), true};
  return {left.tensor.add(right.tensor, -by)};
}

TensorValues minus_quotient(const TensorValues& left, double by, const TensorValues& above,
                            const TensorValues& below) {
  if (left.is_parameter) return {left.tensor.addcdiv_(above.tensor, below.tensor, -by), true};
  return {left.tensor.addcdiv(above.tensor, below.tensor, -by)};
}

TensorValues mixed(const TensorValues& left, double keep, const TensorValues& right, double take) {
  return {left.tensor.mul(keep).add_(right.tensor, take)};
}

TensorValues mixed(TensorValues&& left, double keep, const TensorValues& right, double take) {
  return {left.tensor.mul_(keep).add_(right.tensor, take)};
}

TensorValues mixed_square(const TensorValues& left, double keep, const TensorValues& right,
                          double take) {
  return {left.tensor.mul(keep).addcmul_(right.tensor, right.tensor, take)};
}

TensorValues mixed_square(TensorValues&& left, double keep, const TensorValues& right,
                          double take) {
  return {left.tensor.mul_(keep).addcmul_(right.tensor, right.tensor, take)};
}

TensorValues plus_square(TensorValues&& left, const TensorValues& right) {
  return {left.tensor.addcmul_(right.tensor, right.tensor)};
}

TensorValues plus_square(const TensorValues& left, const TensorValues& right) {
  return {left.tensor.addcmul(right.tensor, right.tensor)};
}

TensorValues minus_square(const TensorValues& left, const TensorValues& right) {
  return {left.tensor.addcmul(right.tensor, right.tensor, -1)};
}

TensorValues line(const TensorValues& values, double factor, double offset) {
  return {values.tensor.mul(factor).add_(offset)};
}

TensorValues with_decay(const TensorValues& gradient, double decay, const TensorValues& parameter) {
  return decay == 0 ? gradient : TensorValues{gradient.tensor.add(parameter.tensor, decay)};
}

}  // namespace hearth
