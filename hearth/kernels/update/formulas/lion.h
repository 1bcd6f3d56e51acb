// Steps of equal length along the sign of a mix of gradients.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace hearth::formulas {

// Slots: the mean, which the gradient enters after the step.
struct Lion {
  static constexpr size_t kSlots = 1;
  template <class N>
  struct Numbers {
    N lr, shrink, keep, take, later_keep, later_take;
  };
  template <class V, class N>
  static V moved(const V& before, const V& gradient, std::array<V, 1>& slots, const Numbers<N>& n) {
    const V direction = sign_of(mixed(slots[0], n.keep, gradient, n.take));
    slots[0] = mixed(std::move(slots[0]), n.later_keep, gradient, n.later_take);
    return minus_scaled(scaled(before, n.shrink), n.lr, direction);
  }
};

}  // namespace hearth::formulas
