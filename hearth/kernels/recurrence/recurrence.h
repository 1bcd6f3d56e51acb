// A recurrent layer's way through a sequence: a state that every step reads and changes.
#pragma once

#include <cstdint>

#include "hearth/kernels/kernels.h"

namespace hearth {

// How a step makes a new state of the old one and its gates: PyTorch's formulas, and its order of
// gates.
enum class RecurrentCell : uint8_t { kTanh, kRelu, kLstm, kGru };
[[nodiscard]] int64_t gates_of(RecurrentCell cell);  // how many; each has as many values as a state

struct RecurrentState {
  at::Tensor hidden = {};  // [B, H]; undefined for zeros
  at::Tensor cell = {};    // the same; only an LSTM has one
};

struct Recurrence {
  RecurrentCell cell = RecurrentCell::kTanh;
  bool is_reverse = false;  // from the last place to the first
  at::Tensor weight = {};   // [gates * H, H]: what the state adds to the gates
  at::Tensor bias = {};     // [gates * H]; may be undefined
};

// The state behind every place, [T, B, H], of hidden values and of cells.
struct RecurrentStates {
  at::Tensor hidden;
  at::Tensor cell;  // undefined unless it is an LSTM

  // Behind the last step.
  [[nodiscard]] RecurrentState last(bool is_reverse) const;
};

// `gates`, [T, B, gates * H], is what the input adds to the gates. Where `mask`, bool [T, B], is
// false nothing happens: the state stays as it is. It may be undefined.
[[nodiscard]] RecurrentStates run_recurrence(Kernels kernels, const Recurrence& recurrence,
                                             const at::Tensor& gates, const RecurrentState& first,
                                             const at::Tensor& mask);

}  // namespace hearth
