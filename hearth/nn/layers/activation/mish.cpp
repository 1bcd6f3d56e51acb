// x tanh(log(1 + exp(x))), value by value.
#include "hearth/nn/layers/activation/mish.h"

#include <ATen/ops/mish.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> mish() { return {"mish", Node::map()}; }

void register_mish(Registry<Layer>& layers) {
  add_pointwise(layers, "mish", "A smooth relu: x times the tanh of its softplus.", at::mish);
}

}  // namespace hearth::layers
