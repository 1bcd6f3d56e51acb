// relu6(x + 3) / 6, value by value.
#include "hearth/nn/layers/activation/hardsigmoid.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> hardsigmoid() { return {"hardsigmoid", Node::map()}; }

void register_hardsigmoid(Registry<Layer>& layers) {
  add_pointwise(layers, "hardsigmoid", "A sigmoid made of straight lines: relu6(x + 3) / 6.",
                hardsigmoid_values);
}

}  // namespace hearth::layers
