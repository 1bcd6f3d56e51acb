// Steps that are a share of the parameter's own norm: one pass finds the norms, the next moves.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "hearth/kernels/update/update_rule.h"

namespace hearth::formulas {

// norm / divisor, or 1 where one of them is 0: a parameter of zeros must be able to leave them.
[[nodiscard]] inline double trust_of(double norm, double divisor) {
  return norm != 0 && divisor != 0 ? norm / divisor : 1;
}

// Adam's direction. Slots: the mean and the mean square.
struct Lamb {
  static constexpr size_t kSlots = 2;
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take, square_keep, square_take, mean_factor, root_factor, eps, adapts;
  };
  template <class V, class N>
  static V measured(const V& parameter, const V& gradient, std::array<V, 2>& slots,
                    const Numbers<N>& n) {
    slots[0] = mixed(std::move(slots[0]), n.keep, gradient, n.take);
    slots[1] = mixed_square(std::move(slots[1]), n.square_keep, gradient, n.square_take);
    return direction(parameter, slots, n);
  }
  static void adapt(Numbers<double>& n, const UpdateSizes& norms) {
    if (n.adapts != 0) n.lr *= trust_of(norms.parameter, norms.direction);
  }
  // The slots have moved by now.
  template <class V, class N>
  static V moved(const V& parameter, const V&, std::array<V, 2>& slots, const Numbers<N>& n) {
    return minus_scaled(parameter, n.lr, direction(parameter, slots, n));
  }

 private:
  template <class V, class N>
  static V direction(const V& parameter, const std::array<V, 2>& slots, const Numbers<N>& n) {
    const V divisor = line(root(slots[1]), n.root_factor, n.eps);
    return with_decay(quotient(scaled(slots[0], n.mean_factor), divisor), n.weight_decay,
                      parameter);
  }
};

// Momentum of the gradient. The slot: the last step.
struct Lars {
  static constexpr size_t kSlots = 1;
  template <class N>
  struct Numbers {
    N lr, weight_decay, momentum, trust, eps, adapts;
  };
  template <class V, class N>
  static V measured(const V&, const V& gradient, std::array<V, 1>&, const Numbers<N>&) {
    return gradient;
  }
  static void adapt(Numbers<double>& n, const UpdateSizes& norms) {
    const double divisor = norms.direction + n.weight_decay * norms.parameter + n.eps;
    if (n.adapts != 0) n.lr *= trust_of(n.trust * norms.parameter, divisor);
  }
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 1>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed(std::move(slots[0]), n.momentum, gradient, n.lr);
    return minus(parameter, slots[0]);
  }
};

}  // namespace hearth::formulas
