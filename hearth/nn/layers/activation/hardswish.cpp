// x relu6(x + 3) / 6, value by value.
#include "hearth/nn/layers/activation/hardswish.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> hardswish() { return {"hardswish", Node::map()}; }

void register_hardswish(Registry<Layer>& layers) {
  add_pointwise(layers, "hardswish", "A silu made of straight lines: x times its hardsigmoid.",
                hardswish_values);
}

}  // namespace hearth::layers
