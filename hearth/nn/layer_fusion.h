// Rewrites the steps of a described layer so that a layer computes the addition and the relu, or
// another activation, after it along with itself.
#pragma once

#include <cstddef>
#include <vector>

#include "hearth/kernels/activation/activation.h"

namespace hearth {

class Layer;

// A layer with what it computes along while nobody listens to that: relu(layer(...) + addend).
struct LayerStep {
  Layer* layer = nullptr;
  std::vector<int> inputs;   // values, by number
  std::vector<int> outputs;  // -1 for one that nobody reads
  Layer* addition = nullptr;
  int addend = -1;
  bool is_addend_first = false;  // among the addition's inputs
  Layer* relu = nullptr;         // or another activation:
  Activation activation = Activation::kNone;
  std::vector<int> last_reads = {};  // values that nobody reads afterwards

  [[nodiscard]] bool is_unary() const {
    return inputs.size() == 1 && outputs.size() == 1 && outputs.front() >= 0;
  }
};

// Steps whose values, `count` of them, leave the layer as `outputs`.
void fuse_steps(std::vector<LayerStep>& steps, size_t count, const std::vector<int>& outputs);

}  // namespace hearth
