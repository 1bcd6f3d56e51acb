// 1 / (1 + exp(-x)), value by value.
#include "hearth/nn/layers/activation/sigmoid.h"

#include <ATen/ops/sigmoid.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> sigmoid() { return {"sigmoid", Node::map()}; }

void register_sigmoid(Registry<Layer>& layers) {
  add_pointwise(layers, "sigmoid", "Squeezes values between 0 and 1.", at::sigmoid);
}

}  // namespace hearth::layers
