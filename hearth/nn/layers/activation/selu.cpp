// An elu with constants that keep mean 0 and variance 1 from layer to layer.
#include "hearth/nn/layers/activation/selu.h"

#include <ATen/ops/selu.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> selu() { return {"selu", Node::map()}; }

void register_selu(Registry<Layer>& layers) {
  add_pointwise(layers, "selu",
                "An elu with constants that keep mean 0 and variance 1 through many layers.",
                at::selu);
}

}  // namespace hearth::layers
