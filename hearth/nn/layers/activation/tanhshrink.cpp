// x - tanh(x), value by value.
#include "hearth/nn/layers/activation/tanhshrink.h"

#include <ATen/ops/tanh.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> tanhshrink() { return {"tanhshrink", Node::map()}; }

void register_tanhshrink(Registry<Layer>& layers) {
  add_pointwise(layers, "tanhshrink", "x minus its tanh: small values become almost zero.",
                [](const at::Tensor& input) { return input.sub(input.tanh()); });
}

}  // namespace hearth::layers
