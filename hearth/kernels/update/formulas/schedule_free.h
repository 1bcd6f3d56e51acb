// Steps of one sequence, whose average is what is learned; gradients are taken between the two.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace hearth::formulas {

// Moves the sequence (first slot) and its average (second slot); gives the place between them, of
// which `beta` is the average's share.
template <class V, class N>
V schedule_free_place(std::array<V, 2>& sequence_and_average, const V& direction, N lr, N share,
                      N beta) {
  auto& [sequence, average] = sequence_and_average;
  sequence = minus_scaled(sequence, lr, direction);
  average = plus_scaled(average, share, minus(sequence, average));
  return plus_scaled(sequence, beta, minus(average, sequence));
}

struct ScheduleFreeDescent {
  static constexpr size_t kSlots = 2;
  template <class N>
  struct Numbers {
    N lr, weight_decay, share, beta;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& given, std::array<V, 2>& slots, const Numbers<N>& n) {
    const V gradient = with_decay(given, n.weight_decay, parameter);
    return schedule_free_place(slots, gradient, n.lr, n.share, n.beta);
  }
};

// The third slot is the mean square of gradients.
struct ScheduleFreeAdam {
  static constexpr size_t kSlots = 3;
  template <class N>
  struct Numbers {
    N lr, weight_decay, share, beta, square_keep, square_take, root_factor, eps;
  };
  template <class V, class N>
  static V moved(const V& parameter, const V& gradient, std::array<V, 3>& slots,
                 const Numbers<N>& n) {
    slots[2] = mixed_square(std::move(slots[2]), n.square_keep, gradient, n.square_take);
    const V divided = quotient(gradient, line(root(slots[2]), n.root_factor, n.eps));
    const V direction = with_decay(divided, n.weight_decay, parameter);
    std::array<V, 2> places = {slots[0], slots[1]};
    const V place = schedule_free_place(places, direction, n.lr, n.share, n.beta);
    slots[0] = places[0];
    slots[1] = places[1];
    return place;
  }
};

}  // namespace hearth::formulas
