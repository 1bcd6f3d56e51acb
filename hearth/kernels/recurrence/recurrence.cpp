// A recurrent layer's way through a sequence, step by step with LibTorch's operators.
#include "hearth/kernels/recurrence/recurrence.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "hearth/kernels/recurrence/recurrence_fast.h"

namespace hearth {
namespace {

RecurrentState lstm_step(const at::Tensor& gates, const at::Tensor& added,
                         const RecurrentState& before) {
  const std::vector<at::Tensor> parts = gates.add(added).chunk(4, 1);
  const at::Tensor cell =
      parts[1].sigmoid().mul(before.cell).add(parts[0].sigmoid().mul(parts[2].tanh()));
  return {parts[3].sigmoid().mul(cell.tanh()), cell};
}

RecurrentState gru_step(const at::Tensor& gates, const at::Tensor& added,
                        const RecurrentState& before) {
  const std::vector<at::Tensor> parts = gates.chunk(3, 1);
  const std::vector<at::Tensor> more = added.chunk(3, 1);
  const at::Tensor reset = parts[0].add(more[0]).sigmoid();
  const at::Tensor update = parts[1].add(more[1]).sigmoid();
  const at::Tensor fresh = parts[2].add(reset.mul(more[2])).tanh();
  return {fresh.add(update.mul(before.hidden.sub(fresh))), {}};
}

// `added` is what the state adds to the gates.
RecurrentState plain_step(RecurrentCell cell, const at::Tensor& gates, const at::Tensor& added,
                          const RecurrentState& before) {
  if (cell == RecurrentCell::kLstm) return lstm_step(gates, added, before);
  if (cell == RecurrentCell::kGru) return gru_step(gates, added, before);
  const at::Tensor sum = gates.add(added);
  return {cell == RecurrentCell::kTanh ? sum.tanh() : sum.relu(), {}};
}

// Where `is_there`, [B, 1], is false, the state from before.
at::Tensor chosen(const at::Tensor& is_there, const at::Tensor& after, const at::Tensor& before) {
  return is_there.defined() ? at::where(is_there, after, before) : after;
}

RecurrentStates plain_recurrence(const Recurrence& recurrence, const at::Tensor& gates,
                                 RecurrentState state, const at::Tensor& mask) {
  const std::vector<at::Tensor> steps = gates.unbind(0);
  const bool has_cell = recurrence.cell == RecurrentCell::kLstm;
  std::vector<at::Tensor> hidden(steps.size());
  std::vector<at::Tensor> cells(has_cell ? steps.size() : 0);
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t place = recurrence.is_reverse ? steps.size() - 1 - i : i;
    const at::Tensor is_there =
        mask.defined() ? mask.select(0, static_cast<int64_t>(place)).unsqueeze(1) : mask;
    const at::Tensor added = at::linear(state.hidden, recurrence.weight, recurrence.bias);
    const RecurrentState next = plain_step(recurrence.cell, steps[place], added, state);
    hidden[place] = state.hidden = chosen(is_there, next.hidden, state.hidden);
    if (has_cell) cells[place] = state.cell = chosen(is_there, next.cell, state.cell);
  }
  return {at::stack(hidden), has_cell ? at::stack(cells) : at::Tensor()};
}

// What does not fit goes to LibTorch, which says so.
bool recurrence_goes_fast(Kernels kernels, const Recurrence& recurrence, const at::Tensor& gates,
                          const RecurrentState& first, const at::Tensor& mask) {
  const at::Tensor& weight = recurrence.weight;
  const auto fits = [&](const at::Tensor& tensor, int64_t values) {
    return !tensor.defined() || (goes_fast(kernels, tensor) && tensor.numel() == values);
  };
  return goes_fast(kernels, gates) && goes_fast(kernels, weight) && gates.dim() == 3 &&
         gates.numel() > 0 && weight.dim() == 2 &&
         weight.size(0) == gates_of(recurrence.cell) * weight.size(1) &&
         gates.size(2) == weight.size(0) && fits(recurrence.bias, weight.size(0)) &&
         fits(first.hidden, gates.size(1) * weight.size(1)) &&
         fits(first.cell, gates.size(1) * weight.size(1)) &&
         (!mask.defined() || (mask.is_cpu() && mask.scalar_type() == at::kBool &&
                              mask.sizes() == gates.sizes().slice(0, 2)));
}

}  // namespace

int64_t gates_of(RecurrentCell cell) {
  if (cell == RecurrentCell::kLstm) return 4;
  return cell == RecurrentCell::kGru ? 3 : 1;
}

RecurrentState RecurrentStates::last(bool is_reverse) const {
  const int64_t place = is_reverse ? 0 : hidden.size(0) - 1;
  return {hidden.select(0, place), cell.defined() ? cell.select(0, place) : at::Tensor()};
}

RecurrentStates run_recurrence(Kernels kernels, const Recurrence& recurrence,
                               const at::Tensor& gates, const RecurrentState& first,
                               const at::Tensor& mask) {
  if (recurrence_goes_fast(kernels, recurrence, gates, first, mask))
    return fast_recurrence(recurrence, gates, first, mask);
  RecurrentState state = first;
  const at::Tensor zeros = at::zeros({gates.size(1), recurrence.weight.size(1)}, gates.options());
  if (!state.hidden.defined()) state.hidden = zeros;
  if (!state.cell.defined()) state.cell = zeros;
  return plain_recurrence(recurrence, gates, state, mask);
}

}  // namespace hearth
