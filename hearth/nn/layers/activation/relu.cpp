// max(x, 0), value by value.
#include "hearth/nn/layers/activation/relu.h"

#include <ATen/ops/relu.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> relu() { return {"relu", Node::map()}; }

void register_relu(Registry<Layer>& layers) {
  add_pointwise(layers, "relu", "Keeps positive values, makes the others zero.", at::relu);
}

}  // namespace hearth::layers
