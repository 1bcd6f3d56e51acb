// Along the gradient, divided by a root of squares of gradients.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace hearth::formulas {

// Slots: the sum of squares.
struct Adagrad {
  static constexpr size_t kSlots = 1;
  template <class N>
  struct Numbers {
    N lr, weight_decay, eps;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 1>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = plus_square(std::move(slots[0]), gradient);
    return minus_quotient(parameter, n.lr, gradient, plus(root(slots[0]), n.eps));
  }
};

// Slots: the mean square of gradients, and of steps.
struct Adadelta {
  static constexpr size_t kSlots = 2;
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take, eps;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 2>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed_square(std::move(slots[0]), n.keep, gradient, n.take);
    const V ratio = quotient(root(plus(slots[1], n.eps)), root(plus(slots[0], n.eps)));
    const V step = product(ratio, gradient);
    slots[1] = mixed_square(std::move(slots[1]), n.keep, step, n.take);
    return minus_scaled(parameter, n.lr, step);
  }
};

// Slots: the mean square, the momentum, and the mean, whose square is taken off the mean square.
template <bool HasMomentum, bool IsCentered>
struct Rmsprop {
  static_assert(HasMomentum || !IsCentered);
  static constexpr size_t kSlots = IsCentered ? 3 : (HasMomentum ? 2 : 1);
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take, eps, momentum;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, kSlots>& slots,
                 const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed_square(std::move(slots[0]), n.keep, gradient, n.take);
    V square = slots[0];
    if constexpr (IsCentered) {
      slots[2] = mixed(std::move(slots[2]), n.keep, gradient, n.take);
      // Rounding may leave less than nothing.
      square = at_least_zero(minus_square(slots[0], slots[2]));
    }
    const V divisor = plus(root(square), n.eps);
    if constexpr (HasMomentum) {
      slots[1] = plus_scaled(quotient(gradient, divisor), n.momentum, slots[1]);
      return minus_scaled(parameter, n.lr, slots[1]);
    } else {
      return minus_quotient(parameter, n.lr, gradient, divisor);
    }
  }
};

}  // namespace hearth::formulas
