// Along the gradient, or along a running mix of gradients.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace hearth::formulas {

struct Descent {
  static constexpr size_t kSlots = 0;
  template <class N>
  struct Numbers {
    N lr, weight_decay;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& gradient, std::array<V, 0>&, const Numbers<N>& n) {
    return minus_scaled(parameter, n.lr, with_decay(gradient, n.weight_decay, parameter));
  }
};

// Slots: the mix of gradients. Nesterov's way looks ahead along it.
template <bool LooksAhead>
struct Momentum {
  static constexpr size_t kSlots = 1;
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 1>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed(std::move(slots[0]), n.keep, gradient, n.take);
    if constexpr (LooksAhead)
      return minus_scaled(parameter, n.lr, plus_scaled(gradient, n.keep, slots[0]));
    return minus_scaled(parameter, n.lr, slots[0]);
  }
};

}  // namespace hearth::formulas
