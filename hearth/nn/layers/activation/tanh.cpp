// The hyperbolic tangent, value by value.
#include "hearth/nn/layers/activation/tanh.h"

#include <ATen/ops/tanh.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> tanh() { return {"tanh", Node::map()}; }

void register_tanh(Registry<Layer>& layers) {
  add_pointwise(layers, "tanh", "Squeezes values between -1 and 1.", at::tanh);
}

}  // namespace hearth::layers
