// One step of a recurrent cell for one sample, and its gradient. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// Every pointer is to rows of `size` values, one for each gate where there are several.
struct CellStep {
  int64_t size;
  const float* gates;   // what the input adds
  const float* added;   // what the state adds, without the bias
  const float* bias;    // null for none
  const float* hidden;  // the state before
  const float* cell;
  float* kept;         // what the backward pass needs
  float* next_hidden;  // the state behind it
  float* next_cell;
};

struct CellFlow {
  int64_t size;
  const float* kept;
  const float* hidden;  // the state before
  const float* cell;
  const float* from_hidden;  // gradients of what this step gave; null for none
  const float* from_cell;
  float* hidden_flow;  // the state's gradient: of that behind the step, then of that before it,
  float* cell_flow;    // but for what flows through the gates
  float* gates_flow;
  float* added_flow;  // may be where gates_flow is, for cells that add the two
};

void tanh_step_avx2(const CellStep& step);
void relu_step_avx2(const CellStep& step);
void lstm_step_avx2(const CellStep& step);
void gru_step_avx2(const CellStep& step);

void tanh_flow_avx2(const CellFlow& flow);
void relu_flow_avx2(const CellFlow& flow);
void lstm_flow_avx2(const CellFlow& flow);
void gru_flow_avx2(const CellFlow& flow);

}  // namespace hearth
