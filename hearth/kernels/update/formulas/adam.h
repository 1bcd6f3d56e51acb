// Steps scaled by running means of the gradient and of its square.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace hearth::formulas {

// Slots: the mean, the mean square, and where it keeps it the greatest mean square so far.
template <bool KeepsGreatest>
struct Adam {
  static constexpr size_t kSlots = KeepsGreatest ? 3 : 2;
  // The divisor is root_factor * root + eps; the parameter is multiplied by `shrink` first.
  template <class N>
  struct Numbers {
    N lr, weight_decay, shrink, keep, take, square_keep, square_take, root_factor, eps;
  };
  template <class V, class N>
  static V moved(const V& before, const V& given, std::array<V, kSlots>& slots,
                 const Numbers<N>& n) {
    const V parameter = scaled(before, n.shrink);
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed(std::move(slots[0]), n.keep, gradient, n.take);
    slots[1] = mixed_square(std::move(slots[1]), n.square_keep, gradient, n.square_take);
    if constexpr (KeepsGreatest) slots[2] = greater(slots[2], slots[1]);
    const V divisor = line(root(slots[KeepsGreatest ? 2 : 1]), n.root_factor, n.eps);
    return minus_quotient(parameter, n.lr, slots[0], divisor);
  }
};

// The same means, but a step along the mean alone: while the square is not known well.
struct UndividedAdam {
  static constexpr size_t kSlots = 2;
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take, square_keep, square_take;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 2>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed(std::move(slots[0]), n.keep, gradient, n.take);
    slots[1] = mixed_square(std::move(slots[1]), n.square_keep, gradient, n.square_take);
    return minus_scaled(parameter, n.lr, slots[0]);
  }
};

// Along a mix of the gradient and its mean, which looks ahead.
struct Nadam {
  static constexpr size_t kSlots = 2;
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take, square_keep, square_take, root_factor, eps, mean_share,
        gradient_share;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 2>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed(std::move(slots[0]), n.keep, gradient, n.take);
    slots[1] = mixed_square(std::move(slots[1]), n.square_keep, gradient, n.square_take);
    const V direction = mixed(slots[0], n.mean_share, gradient, n.gradient_share);
    return minus_quotient(parameter, n.lr, direction, line(root(slots[1]), n.root_factor, n.eps));
  }
};

// Slots: the mean, and the greatest gradient, which fades.
struct Adamax {
  static constexpr size_t kSlots = 2;
  template <class N>
  struct Numbers {
    N lr, weight_decay, keep, take, greatest_keep, eps;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 2>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    slots[0] = mixed(std::move(slots[0]), n.keep, gradient, n.take);
    slots[1] = greater(scaled(slots[1], n.greatest_keep), plus(absolute(gradient), n.eps));
    return minus_quotient(parameter, n.lr, slots[0], slots[1]);
  }
};

}  // namespace hearth::formulas
