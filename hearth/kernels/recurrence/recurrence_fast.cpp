// A recurrent layer's way through a sequence as one function: every thread takes some samples
// through all steps, so that threads wait for each other once; a step is a product and a pass.
#include "hearth/kernels/recurrence/recurrence_fast.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/onednn.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/kernels/product/row_products.h"
#include "hearth/kernels/product/rows_avx2.h"
#include "hearth/kernels/recurrence/recurrent_cells_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kRecurrenceGrain = 4;  // samples worth a thread
constexpr int64_t kBiasGrain = 64;       // columns worth a thread
// Few samples are multiplied by long rows as they lie: packing the weight at every step would cost
// more than it saves.
constexpr int64_t kFewSamples = 256;
constexpr int64_t kLongRows = 256;

bool multiplies_as_they_lie(int64_t samples, int64_t inner) {
  return samples <= kFewSamples && inner >= kLongRows;
}

struct CellKernel {
  void (*step)(const CellStep&);
  void (*flow)(const CellFlow&);
  int64_t kept;            // values that a step keeps for each of the state
  bool has_own_gradients;  // what the state adds has other gradients than the gates
};

const CellKernel& kernel_of(RecurrentCell cell) {
  static const CellKernel kTanhKernel = {tanh_step_avx2, tanh_flow_avx2, 1, false};
  static const CellKernel kReluKernel = {relu_step_avx2, relu_flow_avx2, 1, false};
  static const CellKernel kLstmKernel = {lstm_step_avx2, lstm_flow_avx2, 4, false};
  static const CellKernel kGruKernel = {gru_step_avx2, gru_flow_avx2, 4, true};
  if (cell == RecurrentCell::kLstm) return kLstmKernel;
  if (cell == RecurrentCell::kGru) return kGruKernel;
  return cell == RecurrentCell::kTanh ? kTanhKernel : kReluKernel;
}

// Values by place and sample; null where there are none.
template <class Value>
struct Grid {
  Value* values = nullptr;
  int64_t batch = 0;
  int64_t width = 0;
  [[nodiscard]] Value* at(int64_t place, int64_t sample) const {
    return values == nullptr ? nullptr : values + (place * batch + sample) * width;
  }
};

Grid<float> grid_of(const at::Tensor& tensor) {  // [T, B, width]
  if (!tensor.defined()) return {};
  return {tensor.data_ptr<float>(), tensor.size(1), tensor.size(2)};
}

// The tensors of one way through a sequence, contiguous, and what they hold at a step.
struct Walk {
  CellKernel kernel;
  bool is_reverse;
  int64_t length;
  int64_t batch;
  int64_t size;   // values of a state
  int64_t gates;  // values of all gates
  const float* weight;
  const float* bias;  // null for none
  const bool* mask;   // null for none
  Grid<float> hidden;
  Grid<float> cells;
  Grid<float> kept;
  const float* first_hidden;  // [B, H]
  const float* first_cell;    // null for none

  [[nodiscard]] int64_t place(int64_t step) const { return is_reverse ? length - 1 - step : step; }
  [[nodiscard]] bool is_there(int64_t place, int64_t sample) const {
    return mask == nullptr || mask[place * batch + sample];
  }
  // The state before a step; of all samples from this one on.
  [[nodiscard]] const float* hidden_before(int64_t step, int64_t sample) const {
    return step == 0 ? first_hidden + sample * size : hidden.at(place(step - 1), sample);
  }
  [[nodiscard]] const float* cell_before(int64_t step, int64_t sample) const {
    if (first_cell == nullptr) return nullptr;
    return step == 0 ? first_cell + sample * size : cells.at(place(step - 1), sample);
  }
};

Walk walk_of(const Recurrence& recurrence, const RecurrentState& first, const at::Tensor& mask,
             const RecurrentStates& states, const at::Tensor& kept) {
  const auto values = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.data_ptr<float>() : nullptr;
  };
  const at::Tensor& hidden = states.hidden;
  return {kernel_of(recurrence.cell),
          recurrence.is_reverse,
          hidden.size(0),
          hidden.size(1),
          hidden.size(2),
          recurrence.weight.size(0),
          values(recurrence.weight),
          values(recurrence.bias),
          mask.defined() ? mask.data_ptr<bool>() : nullptr,
          grid_of(hidden),
          grid_of(states.cell),
          grid_of(kept),
          values(first.hidden),
          values(first.cell)};
}

// What the state before a step adds to the gates of samples [from, to).
void add_state(const Walk& walk, int64_t step, int64_t from, int64_t to, float* added) {
  const float* hidden = walk.hidden_before(step, from);
  if (multiplies_as_they_lie(to - from, walk.size))
    return multiply_rows({hidden, to - from, walk.size}, {walk.weight, walk.gates, walk.size},
                         walk.size, added, walk.gates);
  multiply(to - from, walk.gates, walk.size, {hidden, walk.size}, {walk.weight, walk.size, true},
           added, walk.gates);
}

// Samples [from, to) through all steps. `gates` is what the input adds to them.
void walk_forward(const Walk& walk, const Grid<const float>& gates, int64_t from, int64_t to) {
  std::vector<float> added(static_cast<size_t>((to - from) * walk.gates));
  for (int64_t step = 0; step < walk.length; ++step) {
    const int64_t place = walk.place(step);
    add_state(walk, step, from, to, added.data());
    for (int64_t sample = from; sample < to; ++sample) {
      const float* hidden = walk.hidden_before(step, sample);
      const float* cell = walk.cell_before(step, sample);
      if (!walk.is_there(place, sample)) {
        std::copy_n(hidden, walk.size, walk.hidden.at(place, sample));
        if (cell != nullptr) std::copy_n(cell, walk.size, walk.cells.at(place, sample));
        continue;
      }
      walk.kernel.step({walk.size, gates.at(place, sample),
                        added.data() + (sample - from) * walk.gates, walk.bias, hidden, cell,
                        walk.kept.at(place, sample), walk.hidden.at(place, sample),
                        walk.cells.at(place, sample)});
    }
  }
}

// Gradients: given by hidden values and cells of all places, and found.
struct WalkFlow {
  Grid<float> from_hidden;
  Grid<float> from_cells;
  Grid<float> gates;
  Grid<float> added;
  float* hidden;        // [B, H], zeros at first: in the end the first state's
  float* cell;          // null unless there are cells
  const float* turned;  // the weight with its columns as rows
};

void add_values(const float* values, float* into, int64_t count) {
  if (values == nullptr) return;
  for (int64_t i = 0; i < count; ++i) into[i] += values[i];
}

// A place that is not there hands its state's gradient on.
void skip_place(const Walk& walk, const WalkFlow& flow, int64_t place, int64_t sample) {
  add_values(flow.from_hidden.at(place, sample), flow.hidden + sample * walk.size, walk.size);
  if (flow.cell != nullptr)
    add_values(flow.from_cells.at(place, sample), flow.cell + sample * walk.size, walk.size);
  std::fill_n(flow.gates.at(place, sample), walk.gates, 0.0F);
  std::fill_n(flow.added.at(place, sample), walk.gates, 0.0F);
}

// What flows through the gates of samples [from, to) to the state before a step; `scratch` has room
// for their states.
void add_flow(const Walk& walk, const WalkFlow& flow, int64_t place, int64_t from, int64_t to,
              float* scratch) {
  const float* added = flow.added.at(place, from);
  float* hidden = flow.hidden + from * walk.size;
  if (!multiplies_as_they_lie(to - from, walk.gates)) {
    multiply(to - from, walk.size, walk.gates, {added, walk.gates}, {walk.weight, walk.size},
             hidden, walk.size, 1, /*keep=*/1);
    return;
  }
  multiply_rows({added, to - from, walk.gates}, {flow.turned, walk.size, walk.gates}, walk.gates,
                scratch, walk.size);
  add_values(scratch, hidden, (to - from) * walk.size);
}

void walk_backward(const Walk& walk, const WalkFlow& flow, int64_t from, int64_t to) {
  std::vector<float> scratch(static_cast<size_t>((to - from) * walk.size));
  for (int64_t step = walk.length - 1; step >= 0; --step) {
    const int64_t place = walk.place(step);
    for (int64_t sample = from; sample < to; ++sample) {
      if (!walk.is_there(place, sample)) {
        skip_place(walk, flow, place, sample);
        continue;
      }
      walk.kernel.flow({walk.size, walk.kept.at(place, sample), walk.hidden_before(step, sample),
                        walk.cell_before(step, sample), flow.from_hidden.at(place, sample),
                        flow.from_cells.at(place, sample), flow.hidden + sample * walk.size,
                        flow.cell == nullptr ? nullptr : flow.cell + sample * walk.size,
                        flow.gates.at(place, sample), flow.added.at(place, sample)});
    }
    add_flow(walk, flow, place, from, to, scratch.data());
  }
}

// Every step multiplied the state before it: those of all steps but the first lie behind each
// other, beside the gradients of the steps that read them.
at::Tensor recurrent_weight_gradient(const Walk& walk, const at::Tensor& added) {
  const at::Tensor gradient = at::zeros({walk.gates, walk.size}, added.options());
  const Grid<float> flow = grid_of(added);
  const int64_t rows = (walk.length - 1) * walk.batch;
  if (rows > 0)
    product_weight_gradient(rows, walk.size, walk.gates, flow.at(walk.is_reverse ? 0 : 1, 0),
                            walk.hidden.at(walk.is_reverse ? 1 : 0, 0), gradient.data_ptr<float>());
  multiply(walk.gates, walk.size, walk.batch, {flow.at(walk.place(0), 0), walk.gates, true},
           {walk.first_hidden, walk.size}, gradient.data_ptr<float>(), walk.size, 1, /*keep=*/1);
  return gradient;
}

at::Tensor recurrent_bias_gradient(const Walk& walk, const at::Tensor& added) {
  const at::Tensor gradient = at::empty({walk.gates}, added.options());
  at::parallel_for(0, walk.gates, kBiasGrain, [&](int64_t from, int64_t to) {
    sum_rows_avx2(added.data_ptr<float>() + from, walk.length * walk.batch, to - from, walk.gates,
                  gradient.data_ptr<float>() + from);
  });
  return gradient;
}

at::Tensor contiguous_or_none(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.contiguous() : tensor;
}

struct RecurrenceFunction : torch::autograd::Function<RecurrenceFunction> {
  // The hidden values, and the cells of an LSTM.
  static variable_list forward(AutogradContext* context, const at::Tensor& gates,
                               const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                               const at::Tensor& first_hidden,
                               const c10::optional<at::Tensor>& first_cell,
                               const c10::optional<at::Tensor>& mask, int64_t cell,
                               bool is_reverse) {
    const Recurrence recurrence = {static_cast<RecurrentCell>(cell), is_reverse, weight,
                                   bias.value_or(at::Tensor())};
    const RecurrentState first = {first_hidden, first_cell.value_or(at::Tensor())};
    const int64_t size = weight.size(1);
    const auto made = [&](int64_t width) {
      return at::empty({gates.size(0), gates.size(1), width}, gates.options());
    };
    const RecurrentStates states = {made(size), first_cell ? made(size) : at::Tensor()};
    const at::Tensor kept = made(kernel_of(recurrence.cell).kept * size);
    const Walk walk = walk_of(recurrence, first, mask.value_or(at::Tensor()), states, kept);
    const Grid<const float> given = {gates.data_ptr<float>(), walk.batch, walk.gates};
    at::parallel_for(0, walk.batch, kRecurrenceGrain,
                     [&](int64_t from, int64_t to) { walk_forward(walk, given, from, to); });
    context->save_for_backward({weight, recurrence.bias, first.hidden, first.cell,
                                mask.value_or(at::Tensor()), kept, states.hidden, states.cell});
    context->saved_data["cell"] = cell;
    context->saved_data["is_reverse"] = is_reverse;
    context->set_materialize_grads(false);
    return first_cell ? variable_list{states.hidden, states.cell} : variable_list{states.hidden};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const variable_list saved = context->get_saved_variables();
    const Recurrence recurrence = {static_cast<RecurrentCell>(context->saved_data["cell"].toInt()),
                                   context->saved_data["is_reverse"].toBool(), saved[0], saved[1]};
    const RecurrentState first = {saved[2], saved[3]};
    const Walk walk = walk_of(recurrence, first, saved[4], {saved[6], saved[7]}, saved[5]);
    const at::Tensor from_hidden = contiguous_or_none(gradients[0]);
    const at::Tensor from_cells =
        gradients.size() > 1 ? contiguous_or_none(gradients[1]) : at::Tensor();
    const auto made = [&] {
      return at::empty({walk.length, walk.batch, walk.gates}, saved[0].options());
    };
    const at::Tensor gates = made();
    const at::Tensor added = walk.kernel.has_own_gradients ? made() : gates;
    const at::Tensor hidden = at::zeros({walk.batch, walk.size}, saved[0].options());
    const at::Tensor cell = first.cell.defined() ? at::zeros_like(hidden) : at::Tensor();
    const at::Tensor turned = saved[0].t().contiguous();
    const WalkFlow flow = {
        grid_of(from_hidden),     grid_of(from_cells),
        grid_of(gates),           grid_of(added),
        hidden.data_ptr<float>(), cell.defined() ? cell.data_ptr<float>() : nullptr,
        turned.data_ptr<float>()};
    at::parallel_for(0, walk.batch, kRecurrenceGrain,
                     [&](int64_t from, int64_t to) { walk_backward(walk, flow, from, to); });
    variable_list results(8);
    results[0] = gates;
    if (context->needs_input_grad(1)) results[1] = recurrent_weight_gradient(walk, added);
    if (recurrence.bias.defined()) results[2] = recurrent_bias_gradient(walk, added);
    results[3] = hidden;
    results[4] = cell;
    return results;
  }
};

}  // namespace

RecurrentStates fast_recurrence(const Recurrence& recurrence, const at::Tensor& gates,
                                const RecurrentState& first, const at::Tensor& mask) {
  const auto given = [&](const at::Tensor& state) {
    if (state.defined()) return state.contiguous();
    return at::zeros({gates.size(1), recurrence.weight.size(1)}, gates.options());
  };
  const bool has_cell = recurrence.cell == RecurrentCell::kLstm;
  const variable_list states = RecurrenceFunction::apply(
      gates.contiguous(), recurrence.weight.contiguous(), optional_tensor(recurrence.bias),
      given(first.hidden),
      has_cell ? c10::optional<at::Tensor>(given(first.cell)) : c10::optional<at::Tensor>(),
      optional_tensor(mask), static_cast<int64_t>(recurrence.cell), recurrence.is_reverse);
  return {states[0], has_cell ? states[1] : at::Tensor()};
}

}  // namespace hearth
