// One step of a recurrent cell for one sample, and its gradient. For processors with AVX2.
#include "hearth/kernels/recurrence/recurrent_cells_avx2.h"

#include <immintrin.h>

#include "hearth/kernels/lanes_avx2.h"
#include "hearth/kernels/recurrence/squash_avx2.h"

namespace hearth {
namespace {

// The state's part of a gate.
template <class Lanes>
__m256 added_at(const CellStep& s, int64_t place, const Lanes& lanes) {
  const __m256 added = lanes.load(s.added + place);
  return s.bias == nullptr ? added : _mm256_add_ps(added, lanes.load(s.bias + place));
}

template <class Lanes>
__m256 gate_at(const CellStep& s, int64_t place, const Lanes& lanes) {
  return _mm256_add_ps(lanes.load(s.gates + place), added_at(s, place, lanes));
}

// A state's gradient: what flows from later steps and from the outputs of this one.
template <class Lanes>
__m256 flow_at(const float* later, const float* given, int64_t place, const Lanes& lanes) {
  const __m256 flow = lanes.load(later + place);
  return given == nullptr ? flow : _mm256_add_ps(flow, lanes.load(given + place));
}

// Slopes of sigmoid and tanh by their values.
__m256 sigmoid_slope(__m256 value) { return _mm256_fnmadd_ps(value, value, value); }
__m256 tanh_slope(__m256 value) { return _mm256_fnmadd_ps(value, value, _mm256_set1_ps(1)); }

// What is not a number stays none: the maximum gives its second operand then.
__m256 relu_lanes(__m256 x) { return _mm256_max_ps(_mm256_setzero_ps(), x); }
// One where the value is above zero or not a number.
__m256 relu_slope(__m256 value) {
  return _mm256_and_ps(_mm256_cmp_ps(value, _mm256_setzero_ps(), _CMP_NLE_UQ), _mm256_set1_ps(1));
}

template <class Squash>
void simple_step(const CellStep& s, const Squash& squash) {
  for_each_group(s.size, [&](int64_t i, const auto& lanes) {
    const __m256 value = squash(gate_at(s, i, lanes));
    lanes.store(s.kept + i, value);
    lanes.store(s.next_hidden + i, value);
  });
}

template <class Slope>
void simple_flow(const CellFlow& f, const Slope& slope) {
  for_each_group(f.size, [&](int64_t i, const auto& lanes) {
    const __m256 flow = flow_at(f.hidden_flow, f.from_hidden, i, lanes);
    lanes.store(f.gates_flow + i, _mm256_mul_ps(flow, slope(lanes.load(f.kept + i))));
    lanes.store(f.hidden_flow + i, _mm256_setzero_ps());
  });
}

}  // namespace

void tanh_step_avx2(const CellStep& step) { simple_step(step, tanh_avx2); }
void relu_step_avx2(const CellStep& step) { simple_step(step, relu_lanes); }
void tanh_flow_avx2(const CellFlow& flow) { simple_flow(flow, tanh_slope); }
void relu_flow_avx2(const CellFlow& flow) { simple_flow(flow, relu_slope); }

// Gates: input, forget, fresh, output. All are kept as they are squashed.
void lstm_step_avx2(const CellStep& s) {
  for_each_group(s.size, [&](int64_t i, const auto& lanes) {
    const __m256 input = sigmoid_avx2(gate_at(s, i, lanes));
    const __m256 forget = sigmoid_avx2(gate_at(s, i + s.size, lanes));
    const __m256 fresh = tanh_avx2(gate_at(s, i + 2 * s.size, lanes));
    const __m256 output = sigmoid_avx2(gate_at(s, i + 3 * s.size, lanes));
    const __m256 cell =
        _mm256_fmadd_ps(forget, lanes.load(s.cell + i), _mm256_mul_ps(input, fresh));
    lanes.store(s.kept + i, input);
    lanes.store(s.kept + i + s.size, forget);
    lanes.store(s.kept + i + 2 * s.size, fresh);
    lanes.store(s.kept + i + 3 * s.size, output);
    lanes.store(s.next_cell + i, cell);
    lanes.store(s.next_hidden + i, _mm256_mul_ps(output, tanh_avx2(cell)));
  });
}

void lstm_flow_avx2(const CellFlow& f) {
  for_each_group(f.size, [&](int64_t i, const auto& lanes) {
    const __m256 input = lanes.load(f.kept + i);
    const __m256 forget = lanes.load(f.kept + i + f.size);
    const __m256 fresh = lanes.load(f.kept + i + 2 * f.size);
    const __m256 output = lanes.load(f.kept + i + 3 * f.size);
    const __m256 before = lanes.load(f.cell + i);
    const __m256 cell = tanh_avx2(_mm256_fmadd_ps(forget, before, _mm256_mul_ps(input, fresh)));
    const __m256 flow = flow_at(f.hidden_flow, f.from_hidden, i, lanes);
    const __m256 cell_flow = _mm256_fmadd_ps(_mm256_mul_ps(flow, output), tanh_slope(cell),
                                             flow_at(f.cell_flow, f.from_cell, i, lanes));
    const auto store_gate = [&](int64_t gate, __m256 value, __m256 slope) {
      lanes.store(f.gates_flow + i + gate * f.size, _mm256_mul_ps(value, slope));
    };
    store_gate(0, _mm256_mul_ps(cell_flow, fresh), sigmoid_slope(input));
    store_gate(1, _mm256_mul_ps(cell_flow, before), sigmoid_slope(forget));
    store_gate(2, _mm256_mul_ps(cell_flow, input), tanh_slope(fresh));
    store_gate(3, _mm256_mul_ps(flow, cell), sigmoid_slope(output));
    lanes.store(f.cell_flow + i, _mm256_mul_ps(cell_flow, forget));
    lanes.store(f.hidden_flow + i, _mm256_setzero_ps());
  });
}

// Gates: reset, update, fresh. They are kept, and so is what the state adds to the fresh one.
void gru_step_avx2(const CellStep& s) {
  for_each_group(s.size, [&](int64_t i, const auto& lanes) {
    const __m256 reset = sigmoid_avx2(gate_at(s, i, lanes));
    const __m256 update = sigmoid_avx2(gate_at(s, i + s.size, lanes));
    const __m256 added = added_at(s, i + 2 * s.size, lanes);
    const __m256 fresh =
        tanh_avx2(_mm256_fmadd_ps(reset, added, lanes.load(s.gates + i + 2 * s.size)));
    lanes.store(s.kept + i, reset);
    lanes.store(s.kept + i + s.size, update);
    lanes.store(s.kept + i + 2 * s.size, fresh);
    lanes.store(s.kept + i + 3 * s.size, added);
    const __m256 apart = _mm256_sub_ps(lanes.load(s.hidden + i), fresh);
    lanes.store(s.next_hidden + i, _mm256_fmadd_ps(update, apart, fresh));
  });
}

void gru_flow_avx2(const CellFlow& f) {
  for_each_group(f.size, [&](int64_t i, const auto& lanes) {
    const __m256 reset = lanes.load(f.kept + i);
    const __m256 update = lanes.load(f.kept + i + f.size);
    const __m256 fresh = lanes.load(f.kept + i + 2 * f.size);
    const __m256 added = lanes.load(f.kept + i + 3 * f.size);
    const __m256 flow = flow_at(f.hidden_flow, f.from_hidden, i, lanes);
    const __m256 of_fresh = _mm256_mul_ps(_mm256_fnmadd_ps(flow, update, flow), tanh_slope(fresh));
    const __m256 of_reset = _mm256_mul_ps(_mm256_mul_ps(of_fresh, added), sigmoid_slope(reset));
    const __m256 apart = _mm256_sub_ps(lanes.load(f.hidden + i), fresh);
    const __m256 of_update = _mm256_mul_ps(_mm256_mul_ps(flow, apart), sigmoid_slope(update));
    const auto store_gate = [&](int64_t gate, __m256 by_gate, __m256 by_added) {
      lanes.store(f.gates_flow + i + gate * f.size, by_gate);
      lanes.store(f.added_flow + i + gate * f.size, by_added);
    };
    store_gate(0, of_reset, of_reset);
    store_gate(1, of_update, of_update);
    store_gate(2, of_fresh, _mm256_mul_ps(of_fresh, reset));
    lanes.store(f.hidden_flow + i, _mm256_mul_ps(flow, update));
  });
}

}  // namespace hearth
